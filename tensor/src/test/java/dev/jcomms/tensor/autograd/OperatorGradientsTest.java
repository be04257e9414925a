package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operator with a derivative is held against differences, its in-place form too. */
final class OperatorGradientsTest {
  /** Their results are random, so only their zero gradients can be checked. */
  private static final Set<String> RANDOM =
      Set.of(
          "uniform_",
          "normal_",
          "bernoulli_.float",
          "bernoulli_.Tensor",
          "exponential_",
          "random_",
          "random_.from",
          "random_.to",
          "bernoulli",
          "bernoulli.p");

  /** It takes its matrix for symmetric; differences of single elements are not. */
  private static final String OF_SYMMETRIC = "linalg_cholesky_ex";

  private static final Map<String, List<Sample>> SAMPLES = samples();

  /** Of each operator that exists: its samples, and those of its functional form. */
  private static Map<String, List<Sample>> samples() {
    Map<String, List<Sample>> found = new LinkedHashMap<>();
    for (Sample sample : Samples.all()) {
      for (Sample form : List.of(sample, sample.inPlace())) {
        boolean same = form == sample;
        if (Dispatcher.find("aten::" + form.operator()).isPresent() && (same || fits(sample))) {
          found.computeIfAbsent(form.operator(), _ -> new ArrayList<>()).add(form);
        }
      }
    }
    return found;
  }

  /** Whether the result can go into the first argument. */
  private static boolean fits(Sample sample) {
    if (sample.isInPlace() || !(sample.arguments()[0] instanceof Tensor self)) {
      return false;
    }
    List<Tensor> results = sample.run(sample.inputs());
    return results.size() == 1 && results.getFirst().shape().equals(self.shape());
  }

  static Stream<String> operators() {
    return SAMPLES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void gradientsAreWhatDifferencesSay(String operator) {
    for (Sample sample : SAMPLES.get(operator)) {
      GradCheck.first(sample.toString(), sample::run, sample.inputs());
    }
  }

  @ParameterizedTest
  @MethodSource("operators")
  void gradientsOfGradientsAreWhatDifferencesSay(String operator) {
    for (Sample sample : SAMPLES.get(operator)) {
      if (sample.second()) {
        GradCheck.second(sample.toString(), sample::run, sample.inputs());
      }
    }
  }

  @Test
  void noOperatorWithADerivativeIsLeftOut() {
    Set<String> left = new TreeSet<>();
    for (Operator op : Dispatcher.operators()) {
      String name = op.name().substring(op.name().indexOf("::") + 2);
      boolean has = op.derivative().isPresent() && !op.derivative().get().isNone();
      if (op.schema().namespace().equals("aten")
          && has
          && !SAMPLES.containsKey(name)
          && !name.equals(OF_SYMMETRIC)
          && !RANDOM.contains(name)) {
        left.add(name);
      }
    }
    assertThat(left).isEmpty();
  }

  @Test
  void aRootIsDifferentiatedAsTheRootOfWhatStaysSymmetric() {
    for (boolean upper : new boolean[] {false, true}) {
      List<Tensor> inputs = List.of(Sample.any(3, 3));
      GradCheck.Body body = given -> List.of(FactorSamples.root(given.getFirst(), upper));
      GradCheck.first(OF_SYMMETRIC, body, inputs);
      GradCheck.second(OF_SYMMETRIC, body, inputs);
    }
  }

  @Test
  void randomNumbersGiveNoGradient() {
    for (String name : List.of("uniform_", "normal_", "exponential_", "bernoulli")) {
      Tensor x = Tensor.full(DType.F64, Shape.of(3), 0.5).requiresGrad(true);
      Tensor y = name.endsWith("_") ? x.copy() : x;
      Tensor z = (Tensor) Dispatcher.call("aten::" + name, y);
      z.backward(Tensor.of(1.0, 1, 1));
      assertThat(x.grad().toDoubleArray()).as(name).containsExactly(0, 0, 0);
    }
  }
}
