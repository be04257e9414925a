package dev.jcomms.parallel;

import dev.jcomms.Comm;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which parameters share a bucket: neighbours of one dtype on one device, from the last to the
 * first, since that is how gradients come.
 */
final class Buckets {
  private record Kind(DType dtype, Device device) {}

  /** One that is being filled. */
  private static final class Open {
    final List<Slot> slots = new ArrayList<>();
    long bytes;
  }

  private Buckets() {}

  /** The buckets in the order of their last parameter: the order in which they become full. */
  static List<Bucket> fill(Comm comm, List<Slot> slots, long firstBytes, long bytes) {
    Map<Kind, Open> open = new LinkedHashMap<>();
    List<List<Slot>> closed = new ArrayList<>();
    for (Slot slot : slots.reversed()) {
      Kind kind = new Kind(slot.parameter.dtype(), slot.parameter.device());
      Open bucket = open.computeIfAbsent(kind, _ -> new Open());
      bucket.slots.add(slot);
      bucket.bytes += slot.parameter.bytes();
      if (bucket.bytes >= (closed.isEmpty() ? firstBytes : bytes)) {
        closed.add(bucket.slots);
        open.remove(kind);
      }
    }
    open.values().forEach(bucket -> closed.add(bucket.slots));
    return closed.stream().map(of -> new Bucket(of, memory(comm, of))).toList();
  }

  /** Where the communicator can work on it: on the parameters' device, or else on the host. */
  private static Tensor memory(Comm comm, List<Slot> slots) {
    Tensor first = slots.getFirst().parameter;
    Device device =
        comm.backends().containsKey(first.device().type()) ? first.device() : Device.CPU;
    long elements = slots.stream().mapToLong(slot -> slot.parameter.elements()).sum();
    return Ops.empty(first.dtype(), new long[] {elements}, device);
  }
}
