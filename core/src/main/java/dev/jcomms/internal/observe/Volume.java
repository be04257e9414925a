package dev.jcomms.internal.observe;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** What an operation is and how much it moves, as numbers for a record: no garbage is made. */
final class Volume {
  private static final List<Class<? extends Collective>> KINDS = Collective.kinds();
  private static final DType[] DTYPES = DType.values();
  private static final int KIND_BITS = 8;

  private Volume() {}

  /** The bytes of its inputs, or of its outputs where it reads nothing. */
  static long bytes(Collective op) {
    return switch (op) {
      case Collective.AllReduce(_, Tensor input, _) -> input.bytes();
      case Collective.Broadcast(Tensor tensor, _) -> tensor.bytes();
      case Collective.Single single -> single.input().bytes();
      case Collective.PointToPoint part -> part.tensor().bytes();
      case Collective.Barrier _ -> 0;
      default -> sum(read(op));
    };
  }

  /** Its kind and dtype in one number. */
  static long what(Collective op) {
    Tensor tensor = first(op);
    long dtype = tensor == null ? DTYPES.length : tensor.dtype().ordinal();
    return op.place() | dtype << KIND_BITS;
  }

  private static Tensor first(Collective op) {
    return switch (op) {
      case Collective.AllReduce(_, Tensor input, _) -> input;
      case Collective.Broadcast(Tensor tensor, _) -> tensor;
      case Collective.Single single -> single.input();
      case Collective.PointToPoint part -> part.tensor();
      default -> {
        List<Tensor> tensors = read(op);
        yield tensors.isEmpty() ? null : tensors.getFirst();
      }
    };
  }

  static Class<? extends Collective> kind(long what) {
    return KINDS.get((int) what & (1 << KIND_BITS) - 1);
  }

  /** Empty for an operation without tensors. */
  static Optional<DType> dtype(long what) {
    int dtype = (int) (what >>> KIND_BITS);
    return dtype < DTYPES.length ? Optional.of(DTYPES[dtype]) : Optional.empty();
  }

  private static List<Tensor> read(Collective op) {
    List<Tensor> inputs = op.inputs();
    return inputs.isEmpty() ? op.outputs() : inputs;
  }

  private static long sum(List<Tensor> tensors) {
    long bytes = 0;
    for (int i = 0; i < tensors.size(); i++) {
      bytes += tensors.get(i).bytes();
    }
    return bytes;
  }
}
