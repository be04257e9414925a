package dev.jcomms.internal.observe;

import dev.jcomms.Codecs;
import dev.jcomms.Collective;
import dev.jcomms.FlightRecorder;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The flight recorder: a ring of slots that are overwritten in turn, so that recording allocates
 * nothing.
 *
 * <p>Slots hold no tensors. Times are {@code nanoTime}, turned into clock time by one pair of
 * readings when asked.
 */
public final class FlightRing implements FlightRecorder {
  private static final long UNSET = Long.MIN_VALUE;

  /** Whose operations these are; repeated in the JSON. */
  public record Owner(String comm, int rank, int size, List<Integer> ranks, String backend) {}

  private static final class Slot {
    long id = -1;
    long number;
    Class<? extends Collective> kind;
    long bytes;
    DType dtype;
    long created;
    long started;
    long ended;
    String failure;
  }

  private final Owner owner;
  private final Slot[] slots;
  private long next;

  public FlightRing(Owner owner, int capacity) {
    this.owner = owner;
    this.slots = new Slot[capacity];
  }

  /** Records a new operation; the result stands for it in the later calls. */
  public synchronized long scheduled(long number, Collective op) {
    long id = next++;
    int index = (int) (id % slots.length);
    Slot slot = slots[index];
    if (slot == null) {
      slot = slots[index] = new Slot();
    }
    slot.id = id;
    slot.number = number;
    slot.kind = op.getClass();
    if (op instanceof Collective.AllReduce reduce) {
      slot.bytes = reduce.input().bytes();
      slot.dtype = reduce.input().dtype();
    } else {
      Volume volume = Volume.of(op);
      slot.bytes = volume.bytes();
      slot.dtype = volume.dtype();
    }
    slot.created = System.nanoTime();
    slot.started = UNSET;
    slot.ended = UNSET;
    slot.failure = null;
    return id;
  }

  /** Records that the backend has it. */
  public synchronized void started(long id) {
    Slot slot = slots[(int) (id % slots.length)];
    if (slot.id == id) {
      slot.started = System.nanoTime();
    }
  }

  /** Records its end. */
  public synchronized void ended(long id, RuntimeException failure) {
    Slot slot = slots[(int) (id % slots.length)];
    if (slot.id == id) {
      slot.ended = System.nanoTime();
      slot.failure = failure == null ? null : failure.toString();
    }
  }

  @Override
  public synchronized List<Entry> entries() {
    long nanos = System.nanoTime();
    Instant now = Instant.now();
    List<Entry> entries = new ArrayList<>();
    for (long id = Math.max(0, next - slots.length); id < next; id++) {
      Slot slot = slots[(int) (id % slots.length)];
      if (slot != null && slot.id == id) {
        entries.add(
            new Entry(
                slot.number,
                Collective.nameOf(slot.kind),
                slot.bytes,
                Optional.ofNullable(slot.dtype),
                state(slot),
                now.minusNanos(nanos - slot.created),
                time(slot.started, now, nanos),
                time(slot.ended, now, nanos),
                Optional.ofNullable(slot.failure)));
      }
    }
    return entries;
  }

  @Override
  public synchronized void reset() {
    for (Slot slot : slots) {
      if (slot != null) {
        slot.id = -1;
      }
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

  private static State state(Slot slot) {
    if (slot.ended != UNSET) {
      return slot.failure == null ? State.COMPLETED : State.FAILED;
    }
    return slot.started == UNSET ? State.SCHEDULED : State.STARTED;
  }

  private static Optional<Instant> time(long at, Instant now, long nanos) {
    return at == UNSET ? Optional.empty() : Optional.of(now.minusNanos(nanos - at));
  }

  private static long nanos(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
  }
}
