package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;

/** Makes windows: ranks tell each other of their parts, and how each is reached. Any thread. */
final class Registrar {
  private final Roster roster;
  private final Alarm alarm;
  private final SharedMemory shared;
  private final WindowBook book;
  private final Counters counters;
  private final Jobs jobs;

  Registrar(
      Roster roster,
      Alarm alarm,
      SharedMemory shared,
      WindowBook book,
      Counters counters,
      Jobs jobs) {
    this.roster = roster;
    this.alarm = alarm;
    this.shared = shared;
    this.book = book;
    this.counters = counters;
    this.jobs = jobs;
  }

  /** As {@link Mailroom#register}. */
  WindowBackend.RegisteredWindow register(
      WindowBook.Series series, Tensor tensor, OpOptions options) {
    Deadline deadline = Deadline.of(options, alarm);
    Mailroom.requireShared(tensor);
    WindowPart mine = new WindowPart(roster.rank(), book.nextNumber(series), tensor, roster.size());
    WindowBook.Entry entry = book.entry(mine.number());
    // Before anybody hears of it: who has heard may put.
    book.open(mine);
    try {
      jobs.await(job -> announce(job, mine, entry), deadline, _ -> {});
      requireOneDtype(mine, entry);
      counters.standBy();
      return window(mine, entry, deadline.timeout());
    } catch (RuntimeException e) {
      if (e instanceof CommException failure) {
        // Others may have heard of this window, and count on: the next would be paired with
        // another.
        alarm.raise(failure);
      }
      counters.release(mine);
      throw e;
    }
  }

  private void announce(Job job, WindowPart mine, WindowBook.Entry entry) {
    long description = shared.describe(mine.tensor().segment());
    for (int peer = 0; peer < roster.size(); peer++) {
      if (peer != roster.rank()) {
        CommException left = counters.of(peer).left();
        if (left != null) {
          job.fail(left); // it has not heard of this window, so it has come to none such
          return;
        }
        counters.of(peer).announce(mine, description);
        entry.arrivals().await(job, peer, 1, "registration of a window", () -> {});
      }
    }
  }

  /** All see the same, so all refuse. */
  private void requireOneDtype(WindowPart mine, WindowBook.Entry entry) {
    for (int peer = 0; peer < roster.size(); peer++) {
      if (peer != roster.rank() && entry.of(peer).dtype() != mine.dtype()) {
        throw new CommMismatchException(
            "rank %d registers a window of %s, rank %d of %s"
                .formatted(roster.rank(), mine.dtype(), peer, entry.of(peer).dtype()),
            Set.of(peer));
      }
    }
  }

  private MailWindow window(WindowPart mine, WindowBook.Entry entry, Duration patience) {
    RemotePart[] parts = new RemotePart[roster.size()];
    long[] elements = new long[roster.size()];
    for (int peer = 0; peer < parts.length; peer++) {
      boolean self = peer == roster.rank();
      elements[peer] = self ? mine.elements() : entry.of(peer).elements();
      parts[peer] = self ? new LocalPart(peer, peer, mine) : part(mine, peer, entry.of(peer));
    }
    return new MailWindow(roster.rank(), mine, parts, elements, jobs, alarm, patience, counters);
  }

  private RemotePart part(WindowPart mine, int peer, WindowBook.Announcement theirs) {
    RemotePart part = counters.of(peer).remote(mine.number(), theirs);
    boolean host = roster.host(roster.rank()).contains(peer);
    if (theirs.description() == 0 || !host || !(part instanceof PipedPart mail)) {
      return part;
    }
    long bytes = theirs.elements() * mine.dtype().bytes();
    MemorySegment memory = shared.resolve(peer, theirs.description(), bytes);
    return new SharedPart(mail, memory, mine.dtype(), theirs.elements());
  }
}
