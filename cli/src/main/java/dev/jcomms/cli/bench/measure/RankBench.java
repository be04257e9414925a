package dev.jcomms.cli.bench.measure;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Place;
import dev.jcomms.cli.bench.op.Room;
import dev.jcomms.cli.bench.op.Scene;
import dev.jcomms.cli.bench.op.Trial;
import dev.jcomms.cli.bench.op.Values;
import dev.jcomms.jccl.internal.tune.Compiler;
import dev.jcomms.spi.Backend;
import dev.jcomms.tensor.Tensor;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One rank's part of a bench: every size, every form, each timed, checked, and set against the
 * machine's own limit. Used by one thread.
 */
final class RankBench {
  private final Plan plan;
  private final Comm comm;
  private final Backend backend;
  private final Map<String, String> environment;
  private final Consumer<Message> out;
  private final Operation op;
  private final Place place;
  private final OpOptions options;
  private final Together together;
  private final Meter meter;

  /**
   * @param backend the communicator's own, asked for algorithms
   * @param out hears of results; what ranks other than 0 say there is not heard
   */
  RankBench(
      Plan plan,
      Comm comm,
      Backend backend,
      Map<String, String> environment,
      Consumer<Message> out) {
    this.plan = plan;
    this.comm = comm;
    this.backend = backend;
    this.environment = environment;
    this.out = comm.rank() == 0 ? out : _ -> {};
    this.op = plan.op();
    this.place = new Place(comm.rank(), comm.size(), plan.root());
    this.options =
        plan.algorithm().isEmpty()
            ? OpOptions.DEFAULT
            : OpOptions.hint("algorithm", plan.algorithm());
    this.together = new Together(comm);
    this.meter = new Meter(together, plan.pace());
  }

  void run() {
    String transport = comm.backend().transport();
    boolean oneHost = !plan.limit() || Hosts.isOne(together);
    boolean socket = isSocket(transport, oneHost);
    String kind = !plan.limit() ? "none" : socket ? "socket" : "memory";
    out.accept(new Message.Started(place.ranks(), comm.backend().toString(), transport, kind));
    List<Long> counts = plan.counts(place.ranks());
    long most = counts.getLast();
    Room room = op.room(place.ranks());
    Tensor send = memory(most * room.send());
    Tensor recv = memory(most * room.recv());
    Values values = new Values(plan.dtype(), plan.redop(), place.ranks(), op.reduces());
    try (Limit limit = limit(socket, oneHost, plan.bytesOf(most, place.ranks()))) {
      List<Take> takes = new ArrayList<>();
      for (long count : counts) takes.addAll(takes(count, send, recv, values));
      if (plan.pace().warmup() == Pace.ADAPTIVE) {
        takes(1, send, recv, values).forEach(this::familiarize);
        rehearse(takes, limit);
      }
      for (Take take : takes) {
        measure(take.trial, take.count, take.form, limit)
            .ifPresent(result -> out.accept(new Message.Measured(result)));
      }
    }
  }

  private List<Take> takes(long count, Tensor send, Tensor recv, Values values) {
    Scene scene = new Scene(place, plan.redop(), count, send, recv, values);
    return op.forms().stream().map(form -> new Take(count, form, op.trial(scene, form))).toList();
  }

  private void familiarize(Take take) {
    if (refusal(take.trial).isEmpty()) {
      meter.familiarize(new CollectiveLoop(comm, take.trial.op(), options));
    }
  }

  private Tensor memory(long elements) {
    return Memory.allocate(comm, plan.dtype(), elements, plan.symmetric());
  }

  private Limit limit(boolean socket, boolean oneHost, long most) {
    if (!plan.limit()) return Limit.none();
    if (!socket) return MemoryLimit.create(op, place, most, together);
    InetAddress local = oneHost ? InetAddress.getLoopbackAddress() : Hosts.address(environment);
    return SocketLimit.create(op, place, most, comm, local);
  }

  /** Whether it is sockets that limit: the backend says so, or it says nothing and must. */
  private boolean isSocket(String transport, boolean oneHost) {
    return switch (transport) {
      case "local", "shm" -> false;
      case "tcp", "mixed" -> true;
      default -> !oneHost || transport.isEmpty() && plan.transport().equals("tcp");
    };
  }

  /** Empty if the backend refuses this form before anything moves, as all ranks then see. */
  private Optional<Measurement> measure(Trial trial, long count, Form form, Limit limit) {
    Optional<RuntimeException> refusal = refusal(trial);
    if (refusal.isPresent()) {
      String what = plan.op().opName() + ", " + form;
      out.accept(new Message.Note(what + " is refused: " + refusal.get().getMessage()));
      return Optional.empty();
    }
    // Of the operation that was just run: what gathers numbers may go another way.
    String algorithm = backend.algorithm(trial.op(), options);
    Meter.Reading reading = meter.read(new CollectiveLoop(comm, trial.op(), options));
    OptionalLong wrong = plan.check() ? OptionalLong.of(wrong(trial)) : OptionalLong.empty();
    long bytes = plan.bytesOf(count, place.ranks());
    Optional<Batch> floor = limit.of(bytes, form);
    return Optional.of(
        new Measurement(
            bytes,
            count,
            form,
            algorithm,
            reading.iterations(),
            reading.group(),
            reading.time(),
            wrong,
            floor.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(meter.best(floor.get()))));
  }

  /** One form of one size. */
  private record Take(long count, Form form, Trial trial) {}

  /**
   * All that will be done comes before anything is measured, and again until the compiler has
   * nothing left to do: what is new to it makes it take back what it has compiled so far, and
   * whatever else goes on in the background then is over by the time it counts.
   */
  private void rehearse(List<Take> takes, Limit limit) {
    Compiler compiler = new Compiler();
    for (int pass = 0; pass < Compiler.MOST_REHEARSALS; pass++) {
      for (Take take : takes) {
        if (refusal(take.trial).isPresent()) continue;
        boolean first = pass == 0 && take.count == takes.getFirst().count;
        if (pass == 0 && plan.check()) wrong(take.trial);
        if (first) {
          limit.of(plan.bytesOf(take.count, place.ranks()), take.form).ifPresent(meter::best);
        }
        meter.rehearse(new CollectiveLoop(comm, take.trial.op(), options), first);
      }
      if (Compiler.isIdle(together.most(compiler.load())[0])) return;
    }
  }

  /** Runs it once; why the backend refused it, if it did. */
  private Optional<RuntimeException> refusal(Trial trial) {
    trial.clear();
    try {
      comm.run(trial.op(), options);
      return Optional.empty();
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      return Optional.of(e);
    }
  }

  /** One iteration on numbers that tell, over all ranks. */
  private long wrong(Trial trial) {
    trial.fill();
    together.meet();
    comm.run(trial.op(), options);
    return together.sum(trial.wrong());
  }
}
