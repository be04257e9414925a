package dev.jcomms.internal.observe;

import dev.jcomms.Codecs;
import dev.jcomms.Collective;
import dev.jcomms.FlightRecorder;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The flight recorder: rings of small records, one an operation, without locks.
 *
 * <p>A record is a row of numbers in one array: writing it makes no garbage and no work for the
 * collector, which together cost more than the record. An operation knows its record by an id; when
 * the ring has moved on, its later news are dropped.
 *
 * <p>Two threads may add records at the same time: who has the communicator's turn, and who queues
 * for it. Each of them has rows of its own, so that neither needs an atomic step.
 *
 * <p>Times are {@code nanoTime}, turned into clock time by one pair of readings when asked.
 */
public final class FlightRing implements FlightRecorder {
  /** What a time is before it is known: this plus the id, so that no other operation sets it. */
  private static final long UNSET = Long.MIN_VALUE;

  /** No time is so early, no id so large. */
  private static final long LAST_UNSET = Long.MIN_VALUE / 2;

  private static final long NO_ID = -1;
  private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

  // The columns of a row, and how long a row is: a cache line.
  private static final int ID = 0;
  private static final int NUMBER = 1;
  private static final int WHAT = 2;
  private static final int BYTES = 3;
  private static final int CREATED = 4;
  private static final int STARTED = 5;
  private static final int ENDED = 6;
  private static final int ROW = 8;

  // Who adds records. An id is its place among those of its writer, times their number, plus whose
  // it is.
  private static final int TURN = 0;
  private static final int QUEUE = 1;
  private static final int WRITERS = 2;

  /** Whose operations these are; repeated in the JSON. */
  public record Owner(String comm, int rank, int size, List<Integer> ranks, String backend) {}

  private final Owner owner;
  private final int capacity;
  private final int mask; // a power of two less one, so that finding a row costs no division
  private final long[] rows;
  private final Map<Long, String> failures = new ConcurrentHashMap<>();

  /** When who had the turn last read the clock. */
  private long lastNanos = System.nanoTime();

  // The next id of each writer, and the first one that was not reset.
  private final long[] next = {TURN, QUEUE};
  private final long[] forgotten = {TURN, QUEUE};

  public FlightRing(Owner owner, int capacity) {
    this.owner = owner;
    this.capacity = capacity;
    int places = Integer.highestOneBit(Math.max(1, 2 * capacity - 1));
    this.mask = WRITERS * places - 1;
    this.rows = new long[Math.multiplyExact(WRITERS * places, ROW)];
    for (int place = 0; place < WRITERS * places; place++) {
      rows[place * ROW + ID] = NO_ID;
    }
  }

  /** Records an operation that is queued; returns the record's id. One thread at a time. */
  public long queued(long number, Collective op) {
    return add(QUEUE, number, op, false, System.nanoTime());
  }

  /** Records an operation that has its turn. Who has the turn. */
  public long scheduled(long number, Collective op) {
    lastNanos = System.nanoTime();
    return add(TURN, number, op, false, lastNanos);
  }

  /**
   * Records an operation that the backend has got at once: one reading of the clock serves for
   * both. Who has the turn.
   */
  public long begun(long number, Collective op) {
    lastNanos = System.nanoTime();
    return add(TURN, number, op, true, lastNanos);
  }

  /**
   * Records an operation that came and ended so soon after the one before that the clock is not
   * worth reading. Who has the turn.
   */
  public long followed(long number, Collective op) {
    return add(TURN, number, op, true, lastNanos);
  }

  private long add(int writer, long number, Collective op, boolean starts, long now) {
    long id = next[writer];
    LONG.setOpaque(next, writer, id + WRITERS);
    int row = row(id);
    // While a row is being written it is nobody's.
    LONG.setOpaque(rows, row + ID, NO_ID);
    VarHandle.storeStoreFence();
    rows[row + NUMBER] = number;
    rows[row + WHAT] = Volume.what(op);
    rows[row + BYTES] = Volume.bytes(op);
    rows[row + CREATED] = now;
    rows[row + STARTED] = starts ? now : UNSET + id;
    rows[row + ENDED] = UNSET + id;
    // Not a release: that would have the next volatile read wait until it is done.
    VarHandle.storeStoreFence();
    LONG.setOpaque(rows, row + ID, id);
    return id;
  }

  /** What the ids of one writer's newest records differ by at most, and one more. */
  private long span() {
    return (long) WRITERS * capacity;
  }

  private int row(long id) {
    return ((int) id & mask) * ROW;
  }

  /** Records that the backend has an operation, unless that is known. */
  public void started(long id) {
    if ((long) LONG.getOpaque(rows, row(id) + STARTED) == UNSET + id) {
      LONG.compareAndSet(rows, row(id) + STARTED, UNSET + id, System.nanoTime());
    }
  }

  /** Records the end of an operation, and what it failed with, if it did. */
  public void ended(long id, RuntimeException failure) {
    if (failure != null) {
      failures.put(id, failure.toString());
      failures.keySet().removeIf(old -> (id - old) % WRITERS == 0 && old < id - span());
    }
    LONG.compareAndSet(rows, row(id) + ENDED, UNSET + id, System.nanoTime());
  }

  /**
   * Records an end that came so soon after the start that the clock is not worth reading, and the
   * start, unless that is known.
   */
  public void endedAtOnce(long id) {
    int row = row(id);
    if (rows[row + STARTED] == UNSET + id) {
      started(id);
    }
    // No atomic step, as it would cost more than the record: the ring does not come round within
    // an operation that took no time.
    if (rows[row + ENDED] == UNSET + id) {
      LONG.setOpaque(rows, row + ENDED, rows[row + STARTED]);
    }
  }

  @Override
  public List<Entry> entries() {
    long nanos = System.nanoTime();
    Instant now = Instant.now();
    List<Entry> entries = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      long end = (long) LONG.getAcquire(next, writer);
      long begin = Math.max((long) LONG.getVolatile(forgotten, writer), end - span());
      for (long id = begin; id < end; id += WRITERS) {
        Entry entry = entry(id, now, nanos);
        if (entry != null) {
          entries.add(entry);
        }
      }
    }
    // Recorded when they were called; shown as they run.
    entries.sort(Comparator.comparingLong(Entry::number));
    return entries.subList(Math.max(0, entries.size() - capacity), entries.size());
  }

  /** One record, or null if a writer was there meanwhile, or has not come this far yet. */
  private Entry entry(long id, Instant now, long nanos) {
    int row = row(id);
    if ((long) LONG.getAcquire(rows, row + ID) != id) {
      return null;
    }
    long[] copy = Arrays.copyOfRange(rows, row, row + ROW);
    VarHandle.loadLoadFence();
    if ((long) LONG.getOpaque(rows, row + ID) != id) {
      return null;
    }
    String failure = isSet(copy[ENDED]) ? failures.get(id) : null;
    return new Entry(
        copy[NUMBER],
        Collective.nameOf(Volume.kind(copy[WHAT])),
        copy[BYTES],
        Volume.dtype(copy[WHAT]),
        state(copy[STARTED], copy[ENDED], failure),
        now.minusNanos(nanos - copy[CREATED]),
        time(copy[STARTED], now, nanos),
        time(copy[ENDED], now, nanos),
        Optional.ofNullable(failure));
  }

  private static boolean isSet(long time) {
    return time > LAST_UNSET;
  }

  @Override
  public void reset() {
    for (int writer = 0; writer < WRITERS; writer++) {
      LONG.setVolatile(forgotten, writer, (long) LONG.getAcquire(next, writer));
    }
  }

  @Override
  public String toJson() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", "jcomms-1");
    document.put("comm", owner.comm());
    document.put("rank", owner.rank());
    document.put("size", owner.size());
    document.put("ranks", owner.ranks());
    document.put("backend", owner.backend());
    document.put("pid", ProcessHandle.current().pid());
    document.put("dumped_ns", nanos(Instant.now()));
    document.put("entries", entries().stream().map(FlightRing::json).toList());
    return new String(Codecs.JSON.encode(document), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void dump(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      // Written beside and moved, so that a reader never sees half a record.
      Path part =
          Files.createTempFile(
              folder,
              ".flight",
              ".part",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(part, toJson());
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("flight record not written to " + file, e);
    }
  }

  private static Map<String, Object> json(Entry entry) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("number", entry.number());
    map.put("op", entry.op());
    map.put("bytes", entry.bytes());
    map.put("dtype", entry.dtype().map(DType::shortName).orElse(null));
    map.put("state", entry.state().name().toLowerCase(java.util.Locale.ROOT));
    map.put("created_ns", nanos(entry.created()));
    map.put("started_ns", entry.started().map(FlightRing::nanos).orElse(null));
    map.put("ended_ns", entry.ended().map(FlightRing::nanos).orElse(null));
    map.put("failure", entry.failure().orElse(null));
    return map;
  }

  private static State state(long started, long ended, String failure) {
    if (isSet(ended)) {
      return failure == null ? State.COMPLETED : State.FAILED;
    }
    return isSet(started) ? State.STARTED : State.SCHEDULED;
  }

  private static Optional<Instant> time(long at, Instant now, long nanos) {
    return isSet(at) ? Optional.of(now.minusNanos(nanos - at)) : Optional.empty();
  }

  private static long nanos(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
  }
}
