package dev.jcomms.testkit.operator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All cases by operator: those of the families, and the forms that follow from them. */
public final class OperatorSamples {
  private OperatorSamples() {}

  private static final class Held {
    static final Map<String, List<Case>> CASES = make();
  }

  /** The cases of the functional operators and of those that stand alone. */
  static Map<String, List<Case>> cases() {
    return Held.CASES;
  }

  private static Map<String, List<Case>> make() {
    Samples samples = new Samples();
    MemorySamples.add(samples);
    ViewSamples.add(samples);
    PointwiseSamples.add(samples);
    BinarySamples.add(samples);
    ReductionSamples.add(samples);
    MatrixSamples.add(samples);
    ShapeSamples.add(samples);
    IndexSamples.add(samples);
    LayerSamples.add(samples);
    LossSamples.add(samples);
    ImageSamples.add(samples);
    ArrangeSamples.add(samples);
    SpecialSamples.add(samples);
    NetworkSamples.add(samples);
    WindowSamples.add(samples);
    RankSamples.add(samples);
    RestSamples.add(samples);
    FactorSamples.add(samples);
    Map<String, List<Case>> unique = new LinkedHashMap<>();
    samples
        .cases()
        .forEach(
            (op, cases) -> {
              Map<String, Case> byName = new LinkedHashMap<>();
              cases.forEach(c -> byName.putIfAbsent(c.name(), c));
              unique.put(op, List.copyOf(byName.values()));
            });
    return unique;
  }

  /** At most so many of them, spread evenly: the first is always there. */
  static <T> List<T> some(List<T> all, int most) {
    if (all.size() <= most) {
      return all;
    }
    List<T> some = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      some.add(all.get((int) ((long) i * all.size() / most)));
    }
    return some;
  }
}
