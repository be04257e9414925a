package dev.jcomms.jccl.internal.select;

import dev.jcomms.jccl.Algorithm;
import java.util.ArrayList;
import java.util.List;

/**
 * All of jccl's own algorithms, with a sentence each; their steps and bytes: docs/algorithms.md.
 */
public final class Builtins {
  private static final boolean HOST = true;
  private static final boolean TCP = true;
  private static final boolean NO = false;

  private final List<Algorithm> list = new ArrayList<>();
  private String collective;

  private Builtins() {}

  /** By collective. Made anew on every call. */
  public static List<Algorithm> all() {
    Builtins all = new Builtins();
    all.allReduce().gathers().scatters().fromOne().toOne().barrier();
    return all.list;
  }

  private Builtins allReduce() {
    collective = "all_reduce";
    add("flat", HOST, NO, "Every rank puts its buffer where all see it and reduces all of them.");
    add("staged", HOST, NO, "Chunk by chunk through shared memory; each rank reduces its share.");
    add(
        "direct",
        HOST,
        TCP,
        "Each rank reduces its share out of everybody's buffers and hands it to all, at once.");
    add("recursive_doubling", NO, TCP, "Whole buffers are exchanged with ever farther ranks.");
    add("exchange", NO, TCP, "Two ranks swap their buffers, and each reduces both.");
    add(
        "recursive_halving",
        NO,
        TCP,
        "Halves of halves are exchanged and reduced, then gathered the same way back.");
    add("ring", NO, TCP, "Shares go around a ring twice: once reduced, once handed out.");
    twoLevel();
    return this;
  }

  private Builtins gathers() {
    collective = "all_gather";
    moves();
    add("direct", HOST, TCP, "Every rank takes from, or sends to, every other at once.");
    add(
        "bruck",
        NO,
        TCP,
        "What was gathered so far goes to ever farther ranks, twice as much each.");
    add("ring", NO, TCP, "Sections go around a ring.");
    collective = "all_to_all";
    moves();
    add("direct", HOST, TCP, "Every rank takes from, or sends to, every other at once.");
    add("bruck", NO, TCP, "Sections travel together, in as few messages as there are bits in n.");
    add("pairwise", NO, TCP, "In each step every rank exchanges sections with one other.");
    return this;
  }

  private Builtins scatters() {
    collective = "reduce_scatter";
    add("flat", HOST, NO, "Every rank puts its buffer where all see it and reduces its section.");
    add("staged", HOST, NO, "Chunk by chunk through shared memory.");
    add("direct", HOST, TCP, "Each rank reduces its section out of everybody's buffers, at once.");
    add("ring", NO, TCP, "Partial sections go around a ring to their owners.");
    collective = "scatter";
    moves();
    add("direct", HOST, NO, "Every rank takes its section out of the root's memory.");
    add("binomial", NO, TCP, "Sections go down a binomial tree, each branch's together.");
    add("linear", NO, TCP, "The root sends every rank its section.");
    return this;
  }

  private Builtins fromOne() {
    collective = "broadcast";
    moves();
    add("direct", HOST, NO, "Every rank copies the root's memory.");
    trees("goes down");
    add(
        "scatter_all_gather",
        NO,
        TCP,
        "The root deals out shares, and all ranks pass theirs on to everybody.");
    twoLevel();
    return this;
  }

  private Builtins toOne() {
    collective = "reduce";
    add("flat", HOST, NO, "Every rank puts its buffer where the root sees it.");
    add("staged", HOST, NO, "Chunk by chunk through shared memory; each rank reduces its share.");
    add("direct", HOST, TCP, "Each rank reduces its share out of all buffers, for the root.");
    trees("comes up, reduced on the way,");
    twoLevel();
    collective = "gather";
    moves();
    add("direct", HOST, NO, "The root takes every section out of its owner's memory.");
    add("binomial", NO, TCP, "Sections come up a binomial tree, each branch's together.");
    add("linear", NO, TCP, "Every rank sends the root its section.");
    return this;
  }

  private void barrier() {
    collective = "barrier";
    add("dissemination", NO, TCP, "Every rank hears, directly or not, of all in log2 n steps.");
    twoLevel();
  }

  private void moves() {
    add("flat", HOST, NO, "Everything through shared memory at once.");
    add("staged", HOST, NO, "Chunk by chunk through shared memory.");
  }

  private void trees(String how) {
    add(
        "knomial",
        NO,
        TCP,
        "The buffer " + how + " a tree in which a rank has three branches a level.");
    add("binomial", NO, TCP, "The buffer " + how + " a binomial tree.");
    add("chain", NO, TCP, "The buffer " + how + " a chain of all ranks, piece by piece.");
  }

  private void twoLevel() {
    list.add(
        new Builtin(
            "two_level",
            collective,
            "Inside each host through its memory, between one leader a host by TCP.",
            NO,
            NO,
            true));
  }

  private void add(String name, boolean host, boolean tcp, String description) {
    list.add(new Builtin(name, collective, description, host, tcp, NO));
  }
}
