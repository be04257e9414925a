package dev.jcomms.tensor.autograd;

import static dev.jcomms.tensor.autograd.Sample.any;
import static dev.jcomms.tensor.autograd.Sample.fixed;
import static dev.jcomms.tensor.autograd.Sample.positive;
import static dev.jcomms.tensor.autograd.Sample.small;
import static dev.jcomms.tensor.autograd.Sample.strided;
import static dev.jcomms.tensor.autograd.Sample.uniform;

import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Special functions, and activations that are gates or made of pieces. */
final class SpecialSamples {
  private SpecialSamples() {}

  static void into(List<Sample> all) {
    for (String name :
        List.of(
            "i0",
            "special_i0e",
            "special_i1",
            "special_i1e",
            "special_erfcx",
            "special_ndtr",
            "special_log_ndtr",
            "sinc",
            "mish",
            "hardswish",
            "hardsigmoid")) {
      all.add(Sample.of(name, any(2, 3)));
      all.add(Sample.of(name, strided(2, 3)));
      all.add(Sample.of(name, any()));
    }
    for (String name : List.of("lgamma", "digamma", "special_entr")) {
      all.add(Sample.of(name, positive(2, 3)));
    }
    all.add(Sample.of("lgamma", uniform(-1.8, 0.6, 4)));
    all.add(Sample.of("erfinv", small(2, 3)));
    all.add(Sample.of("special_ndtri", uniform(0.05, 0.9, 2, 3)));
    all.add(Sample.of("polygamma", 1, positive(3)));
    all.add(Sample.of("polygamma", 2, positive(3)));
    all.add(Sample.of("mvlgamma", uniform(2, 3, 4), 3));
    all.add(Sample.of("logaddexp2", any(2, 3), any(3)));
    all.add(Sample.of("special_xlog1py", any(2, 3), positive(3)));
    all.add(Sample.of("heaviside", any(2, 3), fixed(any(2, 3))));
    all.add(Sample.of("nextafter", any(2, 3), fixed(any(2, 3))));
    all.add(Sample.of("igamma", fixed(positive(2, 3)), positive(2, 3)));
    all.add(Sample.of("igammac", fixed(positive(2, 3)), positive(2, 3)));
    all.add(Sample.of("special_zeta", fixed(uniform(2, 2, 2, 3)), positive(2, 3)));
    all.add(Sample.of("hardsigmoid", uniform(-5, 10, 8)));
    all.add(Sample.of("hardsigmoid_backward", any(2, 3), any(2, 3)));
    all.add(Sample.of("hardswish", uniform(-5, 10, 8)));
    all.add(Sample.of("hardswish_backward", any(8), uniform(-5, 10, 8)));
    for (String name : List.of("hardshrink", "softshrink")) {
      all.add(Sample.of(name, any(2, 3), 0.4));
      all.add(Sample.of(name + "_backward", any(2, 3), any(2, 3), 0.4));
    }
    all.add(Sample.of("glu", any(2, 4), 1));
    all.add(Sample.of("glu_backward", any(2, 2), any(2, 4), 1));
    all.add(Sample.of("_prelu_kernel", any(2, 3), any(2, 3)));
    all.add(Sample.of("_prelu_kernel", any(2, 3), any(3)));
    all.add(Sample.of("prelu", any(2, 3, 2), any(3)));
    all.add(Sample.of("log_sigmoid_backward", any(3), fixed(any(3)), fixed(Tensor.of(1.0, 1, 1))));
  }
}
