package dev.jcomms.cli.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Cli;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OpsCommandTest {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private RegistrationHandle definitions;
  private RegistrationHandle kernels;
  private RegistrationHandle composites;

  static Tensor kernel(Tensor self) {
    return self;
  }

  static Tensor composite(Tensor self) {
    return (Tensor) Dispatcher.call("opscli::base", self);
  }

  @BeforeEach
  void define() {
    definitions =
        Library.define(
            "opscli",
            m -> {
              m.def("base(Tensor self) -> Tensor");
              m.def("above(Tensor self) -> Tensor");
            });
    kernels = Library.impl("opscli", DispatchKey.CPU, m -> m.impl("base", LOOKUP, "kernel"));
    composites =
        Library.impl(
            "opscli",
            DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD,
            m -> m.impl("above", LOOKUP, "composite"));
  }

  @AfterEach
  void undefine() {
    composites.close();
    kernels.close();
    definitions.close();
  }

  @Test
  void textSaysOfEveryOperatorWhatADeviceHasToDo() {
    Cli.Result result = Cli.run("ops");
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .containsPattern("(?m)^required   opscli::base\\(Tensor self\\) -> Tensor\\R +CPU$")
        .containsPattern(
            "(?m)^composite  opscli::above\\(Tensor self\\) -> Tensor\\R"
                + " +CompositeImplicitAutograd$")
        .containsPattern("(?m)^(default  |required )  aten::copy_\\(Tensor\\(a!\\) self, ")
        .containsPattern("(?m)^\\d+ operators: \\d+ required, .*\\d+ composite");
  }

  @Test
  void jsonIsOneLineOfTheSameFacts() {
    Cli.Result result = Cli.run("ops", "--json");
    assertThat(result.out().strip()).doesNotContain("\n");
    Object operators = ((Map<?, ?>) decode(result.out())).get("operators");
    assertThat(operators)
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .contains(
            Map.of(
                "name",
                "opscli::base",
                "schema",
                "opscli::base(Tensor self) -> Tensor",
                "dispatch",
                true,
                "default",
                false,
                "keys",
                List.of("CPU"),
                "uses",
                List.of()))
        .contains(
            Map.of(
                "name",
                "opscli::above",
                "schema",
                "opscli::above(Tensor self) -> Tensor",
                "dispatch",
                false,
                "default",
                true,
                "keys",
                List.of("CompositeImplicitAutograd"),
                "uses",
                List.of("opscli::base")));
  }

  @Test
  void aDeviceIsToldWhatItLacksAndHowManyWaitForIt() {
    Cli.Result result = Cli.run("ops", "--device", "privateuse2");
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .startsWith("privateuse2:0 (PrivateUse2): 0 operators have kernels of its own, ")
        .containsPattern("(?m)^ +1  opscli::base\\(Tensor self\\) -> Tensor$")
        .doesNotContain("opscli::above(");
    assertThat(Cli.run("ops", "--device", "privateuse2", "--json").out())
        .startsWith("{\"device\":\"privateuse2:0\",\"key\":\"PrivateUse2\",\"own\":[],")
        .contains(
            "{\"name\":\"opscli::base\",\"schema\":\"opscli::base(Tensor self) -> Tensor\","
                + "\"needed_by\":[\"opscli::above\"],\"fallback\":false}");
  }

  @Test
  void aKernelOfTheDeviceIsItsOwn() {
    try (var _ =
        Library.impl("opscli", DispatchKey.PRIVATE_USE_2, m -> m.impl("base", LOOKUP, "kernel"))) {
      Cli.Result result = Cli.run("ops", "--device", "privateuse2", "--json");
      Map<?, ?> document = (Map<?, ?>) decode(result.out());
      assertThat(document.get("own")).isEqualTo(List.of("opscli::base"));
      assertThat(document.get("missing").toString()).doesNotContain("opscli::base");
    }
  }

  @Test
  void whatOnlyAFallbackServesIsMarked() {
    try (var _ =
        Library.impl(
            "opscli", DispatchKey.PRIVATE_USE_2, m -> m.fallback((op, keys, args) -> args[0]))) {
      assertThat(Cli.run("ops", "--device", "privateuse2").out())
          .containsPattern("opscli::base\\(Tensor self\\) -> Tensor  \\(fallback\\)");
    }
  }

  @Test
  void anUnknownDeviceIsRefusedWithThoseThereAre() {
    Cli.Result result = Cli.run("ops", "--device", "gpu");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("--device: device 'gpu': no device type 'gpu'; available: [cpu, cuda,")
        .contains("See: jcomms ops --help");
  }

  private static Object decode(String json) {
    return Codecs.JSON.decode(json.getBytes(StandardCharsets.UTF_8));
  }
}
