package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.RankPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sizes of chunk that stand for all others.
 *
 * <p>Chunks alone scale: one size is as good as any. Groups cut chunks into whole alignments, the
 * first slices longer by one where it does not come out even, so every remainder is tried.
 * Pipelines run once, twice, and several times with a short last unit.
 */
final class Samples {
  /** Beyond so many remainders only those around the even split are tried. */
  private static final int ALL_REMAINDERS = 12;

  private static final int MOST_PARTS = 1 << 16;

  private Samples() {}

  /**
   * First the one that groups divide evenly, which says most clearly what is wrong; all within what
   * the plan is for, if there is such a size.
   */
  static List<Long> of(Plan plan) {
    long parts = 1;
    Set<Op.Pipeline> pipelines = new LinkedHashSet<>();
    Set<Integer> groups = new TreeSet<>();
    for (RankPlan rank : plan.ranks()) {
      for (var block : rank.blocks()) {
        for (Op op : block.ops()) {
          if (op instanceof Op.Pipeline(long unit, int chunks, _)) {
            pipelines.add(new Op.Pipeline(unit, chunks, List.of()));
          }
        }
        Resources.forEachOp(
            block,
            op -> {
              if (op instanceof Op.Data data && !data.group().isNone()) {
                groups.add(data.group().blocks());
              }
            });
      }
    }
    for (int group : groups) {
      parts = Math.min(MOST_PARTS, parts / gcd(parts, group) * group);
    }
    long alignment = plan.bufferAlignment();
    TreeSet<Long> sizes = new TreeSet<>();
    if (parts <= ALL_REMAINDERS) {
      for (long units = 1; units <= (parts == 1 ? 1 : 2 * parts); units++) {
        sizes.add(units * alignment);
      }
    } else {
      for (long units : new long[] {1, parts - 1, parts, parts + 1, 2 * parts + 1}) {
        sizes.add(units * alignment);
      }
    }
    for (Op.Pipeline pipeline : pipelines) {
      long unit = Math.min(pipeline.unitBytes(), Long.MAX_VALUE / 64) / pipeline.chunks();
      for (long bytes : new long[] {unit, 2 * unit, 3 * unit + unit / 2}) {
        sizes.add(Math.max(1, bytes / alignment) * alignment);
      }
    }
    List<Long> ordered = new ArrayList<>(fitting(plan, sizes));
    long even = parts * alignment;
    ordered.sort(Comparator.comparing(size -> size % even != 0));
    return ordered;
  }

  private static List<Long> fitting(Plan plan, TreeSet<Long> sizes) {
    List<Long> fit = sizes.stream().filter(size -> isFor(plan, size)).toList();
    if (!fit.isEmpty()) {
      return fit;
    }
    // All of them are too small: larger ones of the same remainders, as far as they are allowed.
    long chunks = Math.max(1, messageChunks(plan));
    long least =
        Long.compareUnsigned(plan.minBytes(), Long.MAX_VALUE / 4) > 0 ? 0 : plan.minBytes();
    long alignment = plan.bufferAlignment();
    long first = Math.ceilDiv(Math.ceilDiv(least, chunks), alignment) * alignment;
    List<Long> larger =
        sizes.stream()
            .map(size -> first + size - alignment)
            .filter(size -> isFor(plan, size))
            .toList();
    return larger.isEmpty() ? List.copyOf(sizes) : larger;
  }

  private static boolean isFor(Plan plan, long chunkBytes) {
    int chunks = messageChunks(plan);
    long message = Math.multiplyHigh(chunkBytes, chunks) != 0 ? -1 : chunkBytes * chunks;
    return chunks == 0
        || Long.compareUnsigned(message, plan.minBytes()) >= 0
            && Long.compareUnsigned(message, plan.maxBytes()) <= 0;
  }

  private static int messageChunks(Plan plan) {
    return plan.ranks().stream()
        .mapToInt(rank -> PlanLayout.messageChunks(plan, rank))
        .max()
        .orElse(0);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
