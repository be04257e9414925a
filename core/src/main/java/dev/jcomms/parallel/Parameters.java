package dev.jcomms.parallel;

import dev.jcomms.Codecs;
import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.Work;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What happens to parameters before training: they are checked, compared and made equal. */
final class Parameters {
  private static final String WHAT = "data_parallel";

  private Parameters() {}

  /** Those that require a gradient, each once. */
  static List<Slot> trained(Map<String, Tensor> parameters) {
    List<Slot> slots = new ArrayList<>();
    Set<Tensor> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    parameters.forEach(
        (name, tensor) -> {
          if (tensor == null) {
            throw new IllegalArgumentException(WHAT + ": parameter '" + name + "' is null");
          }
          if (!tensor.isLeaf()) {
            throw new IllegalArgumentException(
                WHAT
                    + ": parameter '"
                    + name
                    + "' is the result of an operator; only leaves have gradients: use detach()");
          }
          if (tensor.requiresGrad() && seen.add(tensor)) {
            slots.add(new Slot(name, tensor, slots.size()));
          }
        });
    if (slots.isEmpty()) {
      throw new IllegalArgumentException(
          WHAT
              + ": none of parameters="
              + parameters.size()
              + " requires a gradient; use requiresGrad(true)");
    }
    return slots;
  }

  /** Refuses lists that are not the same on all ranks; on all of them alike. */
  static void agree(Comm comm, Map<String, Tensor> parameters, String options) {
    StringBuilder text = new StringBuilder(options);
    parameters.forEach(
        (name, t) ->
            text.append('\n')
                .append('\'')
                .append(name.replace('\n', ' '))
                .append("' ")
                .append(t.dtype())
                .append(' ')
                .append(t.shape())
                .append(t.requiresGrad() ? "" : " without a gradient"));
    List<String> all = comm.allGatherObject(text.toString(), Codecs.STRING);
    String[] first = all.getFirst().split("\n", -1);
    for (int rank = 1; rank < all.size(); rank++) {
      String[] other = all.get(rank).split("\n", -1);
      for (int i = 0; i < Math.max(first.length, other.length); i++) {
        String here = i < first.length ? first[i] : "none";
        String there = i < other.length ? other[i] : "none";
        if (!here.equals(there)) {
          throw new CommMismatchException(
                  (i == 0 ? "options" : "parameter " + (i - 1))
                      + ": rank 0 has "
                      + here
                      + ", rank "
                      + rank
                      + " has "
                      + there,
                  Set.of(comm.rank() == rank ? 0 : rank))
              .at(new CommException.Site(comm.name(), WHAT, -1, comm.rank(), comm.size()));
        }
      }
    }
  }

  /** Gives every rank the values of rank 0. */
  static void broadcast(Comm comm, Collection<Tensor> tensors) {
    record Sent(Tensor tensor, Tensor moved, Work work) {}
    try (var _ = GradMode.noGrad()) {
      List<Sent> all = new ArrayList<>();
      for (Tensor tensor : tensors) {
        boolean served = comm.backends().containsKey(tensor.device().type());
        Tensor moved = (served ? tensor : tensor.to(Device.CPU)).contiguous();
        all.add(new Sent(tensor, moved, comm.broadcastAsync(moved, 0)));
      }
      for (Sent sent : all) {
        sent.work.await();
        if (sent.moved != sent.tensor) {
          sent.tensor.copyFrom(sent.moved);
        }
      }
    }
  }
}
