package dev.jcomms.jccl.internal.prove;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A count that some raise and some wait for: one direction of a channel, or a semaphore.
 *
 * <p>With one giver and one taker the k-th to take learns what the k-th giver knew. Where several
 * compete, nobody knows who was first, and the taker learns only what it would in every order.
 */
final class Counter {
  private final String name;
  private final int initial;
  private final List<Stamp> given = new ArrayList<>();

  /** Who took, and when in its order. */
  private final List<Touch> taken = new ArrayList<>();

  private final Map<Integer, String> givers = new HashMap<>();
  private final Map<Integer, String> takers = new HashMap<>();

  Counter(String name, int initial) {
    this.name = name;
    this.initial = initial;
  }

  /** As {@code memory channel 0 from rank 1}. */
  String name() {
    return name;
  }

  /** Before anything runs: who will give. */
  void expectGiver(int block, String who) {
    givers.put(block, who);
  }

  /** Before anything runs: who will take. */
  void expectTaker(int block, String who) {
    takers.put(block, who);
  }

  /** Whether the order among several decides what a taker learns. */
  boolean isContested() {
    return givers.size() > 1 || takers.size() > 1;
  }

  boolean hasRivals() {
    return takers.size() > 1;
  }

  String rivals() {
    return String.join(", ", takers.values().stream().sorted().toList());
  }

  boolean hasGiver() {
    return !givers.isEmpty();
  }

  String givers() {
    return String.join(", ", givers.values().stream().sorted().toList());
  }

  void give(Stamp stamp) {
    given.add(stamp);
  }

  int value() {
    return initial + given.size() - taken.size();
  }

  /** What is left over or missing when all is done. */
  int drift() {
    return value() - initial;
  }

  /** Takes one; gives what came with it, {@code null} if it was there from the beginning. */
  Stamp take(Touch by, Budget budget) {
    int number = 1;
    if (takers.size() > 1) {
      for (Touch other : taken) {
        number += by.actor().isAfter(other) ? 1 : 0;
      }
    } else {
      number += taken.size();
    }
    taken.add(by);
    int needed = number - initial;
    if (needed < 1) {
      return null;
    }
    Stamp stamp = givers.size() > 1 ? leastOf(needed, budget) : given.get(needed - 1);
    by.actor().learn(stamp);
    if (!isContested()) {
      given.set(needed - 1, null); // Nobody asks for it again.
    }
    return stamp;
  }

  /** Of each actor, what the one of any so many stamps that knows most of it must know. */
  private Stamp leastOf(int needed, Budget budget) {
    int actors = given.getFirst().over().length;
    budget.spend(10L * actors * given.size());
    int[] over = new int[actors];
    int[] visible = new int[actors];
    int[] column = new int[given.size()];
    for (int actor = 0; actor < actors; actor++) {
      over[actor] = smallest(column, actor, needed, true);
      visible[actor] = smallest(column, actor, needed, false);
    }
    int time = given.stream().mapToInt(Stamp::time).sorted().skip(needed - 1).findFirst().orElse(0);
    return new Stamp(over, visible, time, given.get(needed - 1).place());
  }

  private int smallest(int[] column, int actor, int nth, boolean order) {
    for (int i = 0; i < column.length; i++) {
      column[i] = (order ? given.get(i).over() : given.get(i).visible())[actor];
    }
    Arrays.sort(column);
    return column[nth - 1];
  }
}
