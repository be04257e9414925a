package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.dispatch.Declaration;
import dev.jcomms.tensor.dispatch.Declarations;
import dev.jcomms.tensor.dispatch.Declarations.Missing;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.Operator;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A namespace of its own, so that the built-in operators can grow. */
final class DeclarationsTest {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final DispatchKey TINY = DispatchKey.PRIVATE_USE_3;

  private RegistrationHandle definitions;
  private RegistrationHandle composites;
  private RegistrationHandle cpu;

  static Tensor cpuKernel(Tensor self) {
    return self;
  }

  static Tensor middle(Tensor self) {
    return (Tensor) Dispatcher.call("decl::base", self);
  }

  static Tensor outer(Tensor self) {
    return helped(self, Calls::middle);
  }

  private static Tensor helped(Tensor self, Function<Tensor, Tensor> by) {
    return by.apply(self);
  }

  static Tensor filled(Tensor self) {
    return Ops.fill_(Ops.clone(self), Scalar.ZERO);
  }

  /** Operators kept in constants, as the families of Ops keep theirs. */
  static final class Calls {
    private static final String NOT_CALLED = "decl::other";
    private static final Operator MIDDLE = Dispatcher.operator("decl::middle");
    private static final Operator OTHER = Dispatcher.operator(NOT_CALLED);

    static Tensor middle(Tensor self) {
      return (Tensor) MIDDLE.call(self);
    }

    static Tensor other(Tensor self) {
      return (Tensor) OTHER.call(self);
    }
  }

  @BeforeEach
  void define() {
    definitions =
        Library.define(
            "decl",
            m -> {
              for (String name : List.of("base", "middle", "outer", "filled", "other", "both")) {
                m.def(name + "(Tensor self) -> Tensor");
              }
            });
    composites =
        Library.impl(
            "decl",
            DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD,
            m -> {
              m.impl("middle", LOOKUP, "middle");
              m.impl("outer", DeclarationsTest::outer);
              m.impl("filled", DeclarationsTest::filled);
              m.impl("both", LOOKUP, "middle");
            });
    cpu =
        Library.impl(
            "decl",
            DispatchKey.CPU,
            m -> {
              m.impl("base", LOOKUP, "cpuKernel");
              m.impl("both", LOOKUP, "cpuKernel");
            });
  }

  @AfterEach
  void undefine() {
    cpu.close();
    composites.close();
    definitions.close();
  }

  private static Declaration of(String name) {
    return Declarations.list().stream()
        .filter(d -> d.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no declaration of " + name));
  }

  private static List<Missing> missing() {
    return Declarations.missing(TINY).stream()
        .filter(m -> m.operator().schema().namespace().equals("decl"))
        .toList();
  }

  @Test
  void everyOperatorIsThereOnceByName() {
    List<String> names = Declarations.list().stream().map(Declaration::name).toList();
    assertThat(names).isSorted().doesNotHaveDuplicates();
    assertThat(names)
        .containsAll(
            Dispatcher.operators().stream()
                .map(Operator::name)
                .filter(name -> name.matches("(aten|decl)::.*"))
                .toList());
  }

  @Test
  void flagsMeanWhatTheyDoInPyTorch() {
    assertThat(of("decl::base"))
        .hasToString(
            "{\"schema\": \"decl::base(Tensor self) -> Tensor\", \"dispatch\": \"True\","
                + " \"default\": \"False\"}");
    assertThat(of("decl::base").isRequired()).isTrue();
    assertThat(of("decl::middle").dispatch()).isFalse();
    assertThat(of("decl::middle").hasDefault()).isTrue();
    assertThat(of("decl::middle").isRequired()).isFalse();
    assertThat(of("decl::both").dispatch()).isTrue();
    assertThat(of("decl::both").hasDefault()).isTrue();
    assertThat(of("decl::both").keys())
        .containsExactly(DispatchKey.CPU, DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD);
    assertThat(of("decl::other").isRequired()).as("no kernel at all").isTrue();
    try (var _ =
        Library.impl("decl", DispatchKey.AUTOGRAD, m -> m.impl("middle", LOOKUP, "cpuKernel"))) {
      assertThat(of("decl::middle").dispatch()).as("autograd computes nothing").isFalse();
    }
    try (var _ =
        Library.impl(
            "decl",
            DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD,
            m -> m.impl("other", LOOKUP, "cpuKernel"))) {
      assertThat(of("decl::other").dispatch()).isTrue();
      assertThat(of("decl::other").hasDefault()).isTrue();
    }
  }

  @Test
  void whatAKernelCallsIsReadFromItsCode() {
    assertThat(of("decl::base").uses()).isEmpty();
    assertThat(of("decl::middle").uses()).containsExactly("decl::base");
    assertThat(of("decl::outer").uses())
        .as("through a method reference and a constant of another class")
        .containsExactly("decl::middle");
    assertThat(of("decl::filled").uses()).containsExactly("aten::clone", "aten::fill_.Scalar");
    assertThat(of("aten::narrow").uses()).contains("aten::slice.Tensor");
    assertThat(of("aten::reshape").uses()).contains("aten::view", "aten::clone");
  }

  @Test
  void lambdasAreReadAndBoxedKernelsShowNothing() {
    try (var _ =
        Library.impl(
            "decl",
            DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD,
            m -> m.impl("other", (Tensor x) -> Ops.fill_(x, Scalar.ONE)))) {
      assertThat(of("decl::other").uses()).containsExactly("aten::fill_.Scalar");
    }
    try (var _ =
        Library.impl(
            "decl",
            DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD,
            m -> m.boxed("other", (op, keys, args) -> Dispatcher.call("decl::base", args)))) {
      assertThat(of("decl::other").uses()).isEmpty();
    }
  }

  @Test
  void theMostNeededOfWhatADeviceLacksComesFirst() {
    List<Missing> missing = missing();
    assertThat(missing)
        .extracting(m -> m.operator().name())
        .containsExactly("decl::base", "decl::other");
    assertThat(missing.getFirst().dependents())
        .containsExactly("decl::both", "decl::middle", "decl::outer");
    assertThat(missing.getLast().dependents()).isEmpty();
    List<Integer> counts =
        Declarations.missing(TINY).stream().map(m -> m.dependents().size()).toList();
    assertThat(counts).isSortedAccordingTo((a, b) -> b - a);
  }

  @Test
  void whatADeviceWritesIsNotMissingAndNeedsNothing() {
    try (var _ = Library.impl("decl", TINY, m -> m.impl("middle", LOOKUP, "cpuKernel"))) {
      assertThat(missing().getFirst().dependents()).containsExactly("decl::both");
    }
    try (var _ = Library.impl("decl", TINY, m -> m.impl("base", LOOKUP, "cpuKernel"))) {
      assertThat(missing()).extracting(m -> m.operator().name()).containsExactly("decl::other");
    }
    assertThat(missing()).hasSize(2);
  }

  @Test
  void aFallbackServesButDoesNotWrite() {
    assertThat(missing()).extracting(Missing::fallback).containsOnly(false);
    try (var _ = Library.impl("decl", TINY, m -> m.fallback((op, keys, args) -> args[0]))) {
      assertThat(missing()).hasSize(2).extracting(Missing::fallback).containsOnly(true);
    }
  }

  @Test
  void aDeviceAndItsKeyLackTheSame() {
    assertThat(names(Declarations.missing(Device.of("privateuse3"))))
        .isEqualTo(names(Declarations.missing(TINY)));
  }

  @Test
  void onlyDevicesLackKernels() {
    for (DispatchKey key :
        List.of(DispatchKey.AUTOGRAD_CPU, DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD)) {
      assertThatThrownBy(() -> Declarations.missing(key))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(key + " is no device's key");
    }
  }

  @Test
  void theCpuLacksNoBuiltInOperator() {
    assertThat(Declarations.missing(Device.CPU))
        .extracting(m -> m.operator().name())
        .noneMatch(name -> name.startsWith("aten::"));
  }

  private static List<String> names(List<Missing> missing) {
    return missing.stream().map(m -> m.operator().name()).collect(Collectors.toList());
  }
}
