package dev.jcomms.jccl.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What all ranks do, in this order, over communicators that come and go: made from a seed, so the
 * same on every rank.
 */
final class Script {
  /** What a step is. */
  enum Kind {
    BLOCKING,
    ASYNC,
    AWAIT,
    STREAM,
    MESSAGES,
    OBJECTS,
    SYMMETRIC,
    WINDOW,
    GRAPH,
    MONITORED_BARRIER,
    SPLIT,
    CLOSE,
    /** Some operations on each of several communicators, one thread for each. */
    PARALLEL
  }

  /**
   * A communicator.
   *
   * @param ranks of the world, by rank here
   */
  record Node(int id, boolean isWorld, List<Integer> ranks) {}

  /**
   * One step.
   *
   * @param seed of all that is random about it
   * @param others for {@link Kind#PARALLEL}, whose threads there are
   * @param parts for {@link Kind#SPLIT}, what comes of it
   */
  record Step(int number, Kind kind, Node node, long seed, List<Node> others, List<Node> parts) {}

  private static final int MOST_NODES = 8;

  /** How often each kind comes, out of a hundred. */
  private static final Map<Kind, Integer> SHARES =
      Map.ofEntries(
          Map.entry(Kind.BLOCKING, 35),
          Map.entry(Kind.ASYNC, 20),
          Map.entry(Kind.AWAIT, 6),
          Map.entry(Kind.STREAM, 3),
          Map.entry(Kind.MESSAGES, 6),
          Map.entry(Kind.OBJECTS, 4),
          Map.entry(Kind.SYMMETRIC, 3),
          Map.entry(Kind.WINDOW, 5),
          Map.entry(Kind.GRAPH, 4),
          Map.entry(Kind.SPLIT, 6),
          Map.entry(Kind.CLOSE, 3));

  private final Random random;
  private final List<Node> worlds = new ArrayList<>();
  private final List<Node> open = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private int nodes;

  Script(long seed, int size, int length) {
    random = new Random(seed);
    List<Integer> everybody = IntStream.range(0, size).boxed().toList();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      worlds.add(new Node(nodes++, true, everybody));
    }
    open.addAll(worlds);
    for (int i = 0; i < length; i++) {
      add(i);
    }
  }

  /** The communicators that are there at the beginning. */
  List<Node> worlds() {
    return worlds;
  }

  List<Step> steps() {
    return steps;
  }

  /** Whether a communicator is there to the end. */
  boolean keeps(Node node) {
    return open.contains(node);
  }

  private void add(int number) {
    Node node = open.get(random.nextInt(open.size()));
    Kind kind = kind();
    long seed = random.nextLong();
    if (kind == Kind.CLOSE && node.isWorld() || kind == Kind.SPLIT && open.size() > MOST_NODES) {
      kind = Kind.BLOCKING;
    }
    List<Node> parts = kind == Kind.SPLIT ? parts(node) : List.of();
    List<Node> others =
        kind == Kind.PARALLEL
            ? open.stream().filter(_ -> random.nextBoolean()).toList()
            : List.of();
    open.addAll(parts);
    if (kind == Kind.CLOSE) {
      open.remove(node);
    }
    steps.add(new Step(number, kind, node, seed, others, parts));
  }

  private Kind kind() {
    int lot = random.nextInt(100);
    for (Kind kind : Kind.values()) {
      lot -= SHARES.getOrDefault(kind, 0);
      if (lot < 0) {
        return kind;
      }
    }
    return random.nextInt(3) == 0 ? Kind.MONITORED_BARRIER : Kind.PARALLEL;
  }

  /** Up to three groups, in any order; some ranks may be left out. */
  private List<Node> parts(Node node) {
    List<Integer> order = new ArrayList<>(node.ranks());
    Collections.shuffle(order, random);
    int most = 1 + random.nextInt(3);
    int lots = most + (random.nextInt(3) == 0 ? 1 : 0);
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < lots; i++) {
      groups.add(new ArrayList<>());
    }
    order.forEach(rank -> groups.get(random.nextInt(lots)).add(rank));
    List<Node> parts = new ArrayList<>();
    for (List<Integer> group : groups.subList(0, most)) {
      if (!group.isEmpty()) {
        parts.add(new Node(nodes++, false, List.copyOf(group)));
      }
    }
    return parts;
  }
}
