package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;
import dev.jcomms.testkit.DeviceResult;
import dev.jcomms.testkit.DeviceSubject;
import dev.jcomms.testkit.OperatorTolerance;
import dev.jcomms.testkit.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Runs the cases of an operator on a device and on the cpu, and collects what differs. */
public final class DeviceRun {
  /** Cases of one operator that a quick run tries. */
  private static final int QUICK = 240;

  private static final int QUICK_GRADIENTS = 40;

  private static final Pattern LONG_SUMS =
      Pattern.compile("(add)?(mm|mv|bmm)|baddbmm|matmul|linear|v?dot|inner|conv.*|(nan)?sum|mean");

  private DeviceRun() {}

  /** Form to functional operator, for those that have no cases of their own. */
  private static Map<String, String> sources() {
    Map<String, String> sources = new LinkedHashMap<>();
    for (String name : OperatorSamples.cases().keySet()) {
      for (Operator form : Derived.forms(Dispatcher.operator(name))) {
        if (!OperatorSamples.cases().containsKey(form.name())) {
          sources.putIfAbsent(form.name(), name);
        }
      }
    }
    return sources;
  }

  private static final class Held {
    static final Map<String, String> SOURCES = sources();
  }

  public static List<String> names() {
    List<String> names = new ArrayList<>(MemoryRules.names());
    OperatorSamples.cases().keySet().stream().map(DeviceRun::shown).forEach(names::add);
    Held.SOURCES.keySet().stream().map(DeviceRun::shown).forEach(names::add);
    return names;
  }

  private static String shown(String operator) {
    return operator.startsWith("aten::") ? operator.substring("aten::".length()) : operator;
  }

  /**
   * The cases of an operator, its own or derived, as many as a tier wants.
   *
   * @param misfits as {@link Derived#of}
   */
  static List<Case> cases(String name, Tier tier, boolean misfits) {
    String operator = name.contains("::") ? name : "aten::" + name;
    int most = tier == Tier.QUICK ? QUICK : Integer.MAX_VALUE;
    List<Case> own = OperatorSamples.cases().get(operator);
    if (own != null) {
      List<Case> cases = new ArrayList<>(OperatorSamples.some(own, most));
      List<Case> gradients = own.stream().filter(GradientExecution::isWanted).toList();
      int some = tier == Tier.QUICK ? QUICK_GRADIENTS : Integer.MAX_VALUE;
      for (Case c : OperatorSamples.some(gradients, some)) {
        cases.add(new Case(c.operator(), c.arguments(), Case.Form.GRADIENTS));
      }
      return cases;
    }
    String source = Held.SOURCES.get(operator);
    if (source == null) {
      throw new IllegalArgumentException("no cases of operator '" + name + "'");
    }
    Operator form = Dispatcher.operator(operator);
    List<Case> cases = new ArrayList<>();
    for (Case c : OperatorSamples.some(OperatorSamples.cases().get(source), most / 2)) {
      cases.addAll(Derived.of(c, form, misfits));
    }
    return cases;
  }

  public static DeviceResult run(DeviceSubject subject, String name) {
    if (MemoryRules.names().contains(name)) {
      return MemoryRules.run(subject, name);
    }
    long start = System.nanoTime();
    int passed = 0;
    int blocked = 0;
    List<String> failures = new ArrayList<>();
    for (Case c : cases(name, subject.tier(), false)) {
      if (subject.whyBlocked(c.name()).isPresent()) {
        blocked++;
        continue;
      }
      Optional<String> wrong = wrong(subject, c);
      if (wrong.isPresent()) {
        failures.add(c.name() + " " + wrong.get());
      } else {
        passed++;
      }
    }
    return new DeviceResult(
        name, passed, blocked, failures, Duration.ofNanos(System.nanoTime() - start));
  }

  /**
   * Where many numbers are added, what is left of large ones that cancel is as far off as they were
   * large: the order of addition is the device's own.
   */
  private static OperatorTolerance tolerance(DeviceSubject subject, Case c) {
    OperatorTolerance told = subject.toleranceOf(c.shortName());
    return LONG_SUMS.matcher(c.operator().schema().name()).matches()
        ? told.with(DType.F32, told.relative(DType.F32), Math.max(1e-4, told.absolute(DType.F32)))
        : told;
  }

  private static Optional<String> wrong(DeviceSubject subject, Case c) {
    Execution.Outcome expected = Execution.run(c, Device.CPU);
    Execution.Outcome actual = Execution.run(c, subject.device());
    return new Comparison(c, tolerance(subject, c))
        .difference(expected, actual)
        .or(() -> Comparison.misplaced(actual, subject.device()));
  }
}
