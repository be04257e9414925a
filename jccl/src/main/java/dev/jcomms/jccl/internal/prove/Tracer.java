package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Schedule.Link;
import dev.jcomms.jccl.plan.Schedule.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes down what a {@link Machine} does, for a drawing of it. */
class Tracer {
  /** What an op that moves data takes; others take 1, and a nop nothing. */
  static final int DATA_TIME = 4;

  static final Tracer NONE = new Tracer();

  boolean isOn() {
    return false;
  }

  /** The op is done; what was linked since the last one led to it. */
  void step(Place place, Op op, int end) {}

  /** Something of that op, at that time, reaches the op that is next to be done. */
  void link(Link.Kind kind, Place from, int time) {}

  /** Keeps everything. */
  static final class Recorder extends Tracer {
    /** More than anybody can look at. */
    private static final int MOST_STEPS = 20_000;

    private record Loose(Link.Kind kind, Place from, int time, int to) {}

    private final List<Step> steps = new ArrayList<>();
    private final List<Loose> loose = new ArrayList<>();

    @Override
    boolean isOn() {
      return true;
    }

    @Override
    void step(Place place, Op op, int end) {
      if (steps.size() == MOST_STEPS) {
        throw new Budget.Spent();
      }
      steps.add(new Step(place, op, end - time(op), end));
    }

    @Override
    void link(Link.Kind kind, Place from, int time) {
      if (from.block() >= 0) {
        loose.add(new Loose(kind, from, time, steps.size()));
      }
    }

    List<Step> steps() {
      return steps;
    }

    /** Each link from the latest run of its op that was over in time. */
    List<Link> links() {
      Map<Place, List<Integer>> runs = new HashMap<>();
      for (int i = 0; i < steps.size(); i++) {
        runs.computeIfAbsent(steps.get(i).place(), _ -> new ArrayList<>()).add(i);
      }
      List<Link> links = new ArrayList<>();
      for (Loose link : loose) {
        int from = latest(runs.getOrDefault(link.from(), List.of()), link.time());
        if (from >= 0 && from != link.to()) {
          links.add(new Link(link.kind(), from, link.to()));
        }
      }
      return links.stream().distinct().toList();
    }

    /** Runs of one op follow each other; the first is taken if none was over in time. */
    private int latest(List<Integer> runs, int time) {
      int low = 0;
      int high = runs.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (steps.get(runs.get(middle)).end() <= time) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return runs.isEmpty() ? -1 : runs.get(Math.max(0, low - 1));
    }

    private static int time(Op op) {
      return op instanceof Op.Data ? DATA_TIME : op instanceof Op.Nop ? 0 : 1;
    }
  }
}
