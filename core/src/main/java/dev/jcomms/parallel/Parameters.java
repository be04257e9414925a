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
  private static final String WRONG = "\0"; // begins the word of a rank whose list is wrong

  private Parameters() {}

  /**
   * Those that require a gradient, each once: if no rank's list is wrong, and all are the same.
   *
   * @throws IllegalArgumentException on a rank whose own list is wrong
   * @throws CommMismatchException on the others, and on all if the lists differ
   */
  static List<Slot> agreed(Comm comm, Map<String, Tensor> parameters, String options) {
    List<Slot> slots = List.of();
    IllegalArgumentException wrong = null;
    try {
      slots = trained(parameters);
    } catch (IllegalArgumentException e) {
      wrong = e; // the others are told first: they would wait for this rank
    }
    List<String> all =
        comm.allGatherObject(
            wrong == null ? facts(parameters, options) : WRONG + wrong.getMessage(), Codecs.STRING);
    if (wrong != null) {
      throw wrong;
    }
    compare(comm, all);
    return slots;
  }

  private static List<Slot> trained(Map<String, Tensor> parameters) {
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

  /** What the ranks compare: a line of options, then one a parameter. */
  private static String facts(Map<String, Tensor> parameters, String options) {
    StringBuilder text = new StringBuilder(options);
    Map<Tensor, String> names = new IdentityHashMap<>();
    parameters.forEach(
        (name, t) -> {
          String first = names.putIfAbsent(t, name);
          text.append('\n')
              .append('\'')
              .append(name.replace('\n', ' '))
              .append("' ")
              .append(t.dtype())
              .append(' ')
              .append(t.shape())
              .append(t.requiresGrad() ? "" : " without a gradient")
              .append(first == null ? "" : ", the same as '" + first.replace('\n', ' ') + "'");
        });
    return text.toString();
  }

  /** Refuses lists that are not the same on all ranks; on all of them alike. */
  private static void compare(Comm comm, List<String> all) {
    for (int rank = 0; rank < all.size(); rank++) {
      if (all.get(rank).startsWith(WRONG)) {
        throw differ(
            comm,
            "rank " + rank + " was refused: " + all.get(rank).substring(WRONG.length()),
            rank);
      }
    }
    String[] first = all.getFirst().split("\n", -1);
    for (int rank = 1; rank < all.size(); rank++) {
      String[] other = all.get(rank).split("\n", -1);
      for (int i = 0; i < Math.max(first.length, other.length); i++) {
        String here = i < first.length ? first[i] : "none";
        String there = i < other.length ? other[i] : "none";
        if (!here.equals(there)) {
          throw differ(
              comm,
              (i == 0 ? "options" : "parameter " + (i - 1))
                  + ": rank 0 has "
                  + here
                  + ", rank "
                  + rank
                  + " has "
                  + there,
              comm.rank() == rank ? 0 : rank);
        }
      }
    }
  }

  private static CommMismatchException differ(Comm comm, String detail, int rank) {
    return new CommMismatchException(detail, Set.of(rank))
        .at(new CommException.Site(comm.name(), WHAT, -1, comm.rank(), comm.size()));
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
