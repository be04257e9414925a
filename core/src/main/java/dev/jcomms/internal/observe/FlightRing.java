package dev.jcomms.internal.observe;

import dev.jcomms.Codecs;
import dev.jcomms.Collective;
import dev.jcomms.FlightRecorder;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The flight recorder: a ring of small records, one an operation, without locks. An operation keeps
 * its own record and goes on writing it, also when the ring has moved on.
 *
 * <p>Records hold no tensors. Times are {@code nanoTime}, turned into clock time by one pair of
 * readings when asked.
 */
public final class FlightRing implements FlightRecorder {
  private static final long UNSET = Long.MIN_VALUE;
  private static final VarHandle RECORDS = MethodHandles.arrayElementVarHandle(Flight[].class);

  /** Whose operations these are; repeated in the JSON. */
  public record Owner(String comm, int rank, int size, List<Integer> ranks, String backend) {}

  /** The record of one operation: written by whoever runs it, read by anybody. */
  public static final class Flight {
    private static final VarHandle STARTED = field("started");
    private static final VarHandle ENDED = field("ended");

    private final long id;
    private final long number;
    private final Class<? extends Collective> kind;
    private final long bytes;
    private final DType dtype;
    private final long created;
    private long started;
    private long ended = UNSET;
    private String failure; // published by ended

    private Flight(long id, long number, Collective op, long bytes, DType dtype, boolean starts) {
      this.id = id;
      this.number = number;
      this.kind = op.getClass();
      this.bytes = bytes;
      this.dtype = dtype;
      this.created = System.nanoTime();
      this.started = starts ? created : UNSET;
    }

    /** Records that the backend has it, unless that is known. */
    public void started() {
      if (started == UNSET) {
        STARTED.setRelease(this, System.nanoTime());
      }
    }

    /** Records its end. */
    public void ended(RuntimeException failure) {
      if (failure != null) {
        this.failure = failure.toString();
      }
      ENDED.setRelease(this, System.nanoTime());
    }

    /** Records an end that came so soon after the start that the clock is not worth reading. */
    public void endedAtOnce() {
      ENDED.setRelease(this, started);
    }

    private Entry entry(Instant now, long nanos) {
      long ended = (long) ENDED.getAcquire(this);
      long started = (long) STARTED.getAcquire(this);
      String failure = ended == UNSET ? null : this.failure;
      return new Entry(
          number,
          Collective.nameOf(kind),
          bytes,
          Optional.ofNullable(dtype),
          state(started, ended, failure),
          now.minusNanos(nanos - created),
          time(started, now, nanos),
          time(ended, now, nanos),
          Optional.ofNullable(failure));
    }

    private static VarHandle field(String name) {
      try {
        return MethodHandles.lookup().findVarHandle(Flight.class, name, long.class);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Owner owner;
  private final int capacity;
  private final Flight[] records; // a power of two, so that finding a place costs no division
  private final AtomicLong next = new AtomicLong();
  private volatile long forgotten;

  public FlightRing(Owner owner, int capacity) {
    this.owner = owner;
    this.capacity = capacity;
    this.records = new Flight[Integer.highestOneBit(Math.max(1, 2 * capacity - 1))];
  }

  /** Records an operation that waits for its turn. */
  public Flight scheduled(long number, Collective op) {
    return add(number, op, false);
  }

  /**
   * Records an operation that the backend gets at once: one reading of the clock serves for both.
   */
  public Flight begun(long number, Collective op) {
    return add(number, op, true);
  }

  private Flight add(long number, Collective op, boolean starts) {
    long id = next.getAndIncrement();
    Flight flight;
    if (op instanceof Collective.AllReduce(_, Tensor input, _)) {
      flight = new Flight(id, number, op, input.bytes(), input.dtype(), starts);
    } else {
      Volume volume = Volume.of(op);
      flight = new Flight(id, number, op, volume.bytes(), volume.dtype(), starts);
    }
    RECORDS.setRelease(records, place(id), flight);
    return flight;
  }

  private int place(long id) {
    return (int) id & (records.length - 1);
  }

  @Override
  public List<Entry> entries() {
    long nanos = System.nanoTime();
    Instant now = Instant.now();
    long end = next.get();
    List<Entry> entries = new ArrayList<>();
    for (long id = Math.max(forgotten, end - capacity); id < end; id++) {
      Flight flight = (Flight) RECORDS.getAcquire(records, place(id));
      // Not the one asked for: a writer was here meanwhile, or has not come this far yet.
      if (flight != null && flight.id == id) {
        entries.add(flight.entry(now, nanos));
      }
    }
    // What is queued has its place in the ring before what runs inside an earlier turn.
    entries.sort(Comparator.comparingLong(Entry::number));
    return entries;
  }

  @Override
  public void reset() {
    forgotten = next.get();
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
    if (ended != UNSET) {
      return failure == null ? State.COMPLETED : State.FAILED;
    }
    return started == UNSET ? State.SCHEDULED : State.STARTED;
  }

  private static Optional<Instant> time(long at, Instant now, long nanos) {
    return at == UNSET ? Optional.empty() : Optional.of(now.minusNanos(nanos - at));
  }

  private static long nanos(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
  }
}
