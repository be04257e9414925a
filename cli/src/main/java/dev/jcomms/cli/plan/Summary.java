package dev.jcomms.cli.plan;

import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Finding;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A plan in a screen of text: what it is for, what it needs, what its blocks do. */
final class Summary {
  /** Distinct programs of blocks that are shown. */
  private static final int PROGRAMS = 24;

  private final Plan plan;

  Summary(Plan plan) {
    this.plan = plan;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("%s: %s".formatted(plan.name(), plan.collective()));
    facts().forEach((name, value) -> lines.add("  %-10s%s".formatted(name, value)));
    Map<String, List<String>> programs = programs();
    programs.entrySet().stream()
        .limit(PROGRAMS)
        .forEach(
            entry -> {
              lines.add("  " + String.join("; ", entry.getValue()) + ":");
              lines.add("    " + entry.getKey());
            });
    if (programs.size() > PROGRAMS) {
      lines.add("  and " + (programs.size() - PROGRAMS) + " other programs of blocks");
    }
    List<Finding> findings = plan.validate();
    findings.stream().limit(PROGRAMS).forEach(finding -> lines.add("  " + finding));
    if (findings.size() > PROGRAMS) {
      lines.add("  and " + (findings.size() - PROGRAMS) + " other findings");
    }
    return lines;
  }

  /** Name and value, in the order in which they are read. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    int blocks = plan.ranks().stream().mapToInt(rank -> rank.blocks().size()).sum();
    facts.put("ranks", plan.ranks().size() + ", " + blocks + " blocks in all");
    facts.put(
        "protocol",
        plan.protocol().code()
            + (plan.inPlace() ? ", in place" : ", out of place")
            + (plan.doubleScratch() ? ", two halves of scratch" : "")
            + (plan.reuseResources() ? ", resources reused" : ""));
    facts.put("messages", messages());
    facts.put(
        "chunks",
        each(
            rank ->
                "input %d, output %d, scratch %d"
                    .formatted(rank.inputChunks(), rank.outputChunks(), rank.scratchChunks())));
    facts.put("channels", each(Summary::channels));
    facts.put("ops", ops());
    return facts;
  }

  private String messages() {
    String from = Long.toUnsignedString(plan.minBytes());
    String to = plan.maxBytes() == -1 ? "any size" : Long.toUnsignedString(plan.maxBytes());
    boolean any = plan.minBytes() == 0 && plan.maxBytes() == -1;
    return (any ? "any size" : from + " to " + to + " bytes")
        + ", chunks at multiples of "
        + plan.bufferAlignment()
        + " bytes, "
        + plan.threadsPerBlock()
        + " threads a block";
  }

  /** What is so of every rank; of the first, and that others differ, where it is not. */
  private String each(java.util.function.Function<RankPlan, String> fact) {
    List<String> all = plan.ranks().stream().map(fact).distinct().toList();
    return all.isEmpty()
        ? "none"
        : all.getFirst() + (all.size() > 1 ? " (rank 0; others differ)" : "");
  }

  private static String channels(RankPlan rank) {
    List<String> parts = new ArrayList<>();
    for (ChannelType type : ChannelType.values()) {
      int count = rank.channelCount(type);
      if (count > 0) {
        parts.add(count + " " + type.code());
      }
    }
    if (!rank.semaphores().isEmpty()) {
      parts.add(rank.semaphores().size() + " semaphores");
    }
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private String ops() {
    Map<String, Integer> counts = new TreeMap<>();
    plan.ranks()
        .forEach(
            rank -> rank.blocks().forEach(block -> block.ops().forEach(op -> count(counts, op))));
    List<String> parts = new ArrayList<>();
    counts.forEach((name, count) -> parts.add(name + " " + count));
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private static void count(Map<String, Integer> counts, Op op) {
    counts.merge(op.name(), 1, Integer::sum);
    if (op instanceof Op.Pipeline pipeline) {
      pipeline.ops().forEach(inner -> count(counts, inner));
    }
  }

  /** The names of a block's ops, and the blocks that have these. */
  private Map<String, List<String>> programs() {
    Map<String, List<String>> programs = new LinkedHashMap<>();
    for (RankPlan rank : plan.ranks()) {
      Map<String, List<Integer>> here = new LinkedHashMap<>();
      for (ThreadBlock block : rank.blocks()) {
        here.computeIfAbsent(names(block.ops()), _ -> new ArrayList<>()).add(block.id());
      }
      here.forEach(
          (names, blocks) ->
              programs
                  .computeIfAbsent(names, _ -> new ArrayList<>())
                  .add("rank %d block %s".formatted(rank.rank(), ranges(blocks))));
    }
    programs.replaceAll(
        (_, where) ->
            where.size() <= 4
                ? where
                : List.of(where.getFirst(), where.get(1), "… " + where.getLast()));
    return programs;
  }

  private static String names(List<Op> ops) {
    List<String> names = new ArrayList<>();
    for (Op op : ops) {
      names.add(
          op instanceof Op.Pipeline pipeline
              ? "pipeline[%d bytes: %s]".formatted(pipeline.unitBytes(), names(pipeline.ops()))
              : op.name());
    }
    return ops.isEmpty() ? "nothing" : String.join(" ", names);
  }

  /** As {@code 0-3, 5}. */
  static String ranges(List<Integer> sorted) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      int first = i;
      while (i + 1 < sorted.size() && sorted.get(i + 1) == sorted.get(i) + 1) {
        i++;
      }
      parts.add(first == i ? "" + sorted.get(i) : sorted.get(first) + "-" + sorted.get(i));
    }
    return String.join(", ", parts);
  }
}
