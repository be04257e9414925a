package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective.AllGather;
import dev.jcomms.Collective.AllReduce;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.internal.CommFactory;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Finding backends, routing by device, refusing what a backend lacks, and feature gates. */
class BackendsTest {
  /** Two operations, one dtype. */
  private record Small(String name, Set<String> devices) implements BackendProvider {
    @Override
    public String version() {
      return "0.1";
    }

    @Override
    public Backend open(BackendContext context) {
      return new Backend() {
        @Override
        public Set<Class<? extends Collective>> supports() {
          return Set.of(AllReduce.class, AllGather.class);
        }

        @Override
        public Set<DType> dtypes() {
          return Set.of(DType.F32, DType.F64);
        }

        @Override
        public Work submit(Collective op, OpOptions options) {
          op.outputs().forEach(t -> t.fill(0));
          return Work.completed();
        }

        @Override
        public void close() {}
      };
    }
  }

  @Test
  void whatABackendLacksIsRefusedWithWhatItHas() {
    try (Registration _ = Backends.register("small", new Small("small", Set.of("cpu")));
        Comm comm = Fakes.builder("small").build()) {
      Tensor x = Tensor.ones(Shape.of(3));
      comm.allReduce(x, ReduceOp.SUM);
      assertThat(x.toFloatArray()).containsOnly(0f);
      assertThatThrownBy(() -> comm.broadcast(x, 0))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("backend 'small' has no broadcast; it has all_gather, all_reduce");
      assertThatThrownBy(() -> comm.allReduce(Tensor.of(1), ReduceOp.SUM))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("all_reduce: backend 'small' does not move i32; it moves [f64, f32]");
      assertThatThrownBy(() -> comm.newWindow())
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageStartingWith("backend 'small' has no windows");
    }
  }

  @Test
  void anUnknownNameListsWhatThereIsAndWhereItWasLookedFor() {
    assertThatThrownBy(() -> Fakes.builder("nccl").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no backend named 'nccl'; available: [")
        .hasMessageContaining("fake")
        .hasMessageContaining("the module path")
        .hasMessageEndingWith("add jcomms-cuda to the module path");
  }

  @Test
  void namesAreTakenOnceAndFreedByTheRegistration() {
    FakeProvider provider = new FakeProvider();
    Registration first = Backends.register("taken", provider);
    assertThatThrownBy(() -> Backends.register("taken", provider))
        .hasMessageContaining("registered already");
    first.close();
    Backends.register("taken", provider).close();
    assertThat(Backends.find("taken")).isEmpty();
    assertThatThrownBy(() -> Backends.register("Bad Name", provider))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theBackendWhereNoneIsNamedIsTheSettingsThenJcclThenReference() {
    assertThat(CommFactory.defaultBackend(Map.of("JCOMMS_BACKEND", "gloo"))).isEqualTo("gloo");
    try (Registration _ = Backends.register("reference", new FakeProvider())) {
      assertThat(CommFactory.defaultBackend(Map.of())).isEqualTo("reference");
      try (Registration _ = Backends.register("jccl", new FakeProvider())) {
        assertThat(CommFactory.defaultBackend(Map.of())).isEqualTo("jccl");
      }
    }
    assertThat(CommFactory.defaultBackend(Map.of()))
        .as("to be told what to add, where there is neither")
        .isEqualTo("jccl");
  }

  /** A closed one cannot be asked any more, but has been. */
  private static final class Pigeons implements Backend {
    private boolean closed;

    @Override
    public Set<Class<? extends Collective>> supports() {
      return Set.of();
    }

    @Override
    public Work submit(Collective op, OpOptions options) {
      throw new AssertionError(op);
    }

    @Override
    public String transport() {
      assertThat(closed).isFalse();
      return "pigeons";
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aCommTellsHowItsRanksReachEachOtherIfTheBackendDoes() {
    String name = Fakes.register(new Pigeons());
    Comm comm = Fakes.builder(name).build();
    comm.close();
    assertThat(comm.backend()).isEqualTo(new Comm.BackendInfo(name, "1.0.0", "pigeons"));
    assertThat(comm.backend()).hasToString(name + " 1.0.0");
    assertThat(comm.backends()).containsEntry("cpu", comm.backend());
    try (Comm silent = Fakes.alone(new FakeScript())) {
      assertThat(silent.backend().transport()).isEmpty();
    }
  }

  @Test
  void aTensorGoesToTheBackendOfItsDevice() {
    FakeScript cpu = new FakeScript();
    FakeScript cuda = new FakeScript();
    String spec = "cpu:" + Fakes.register(cpu) + ",cuda:" + Fakes.register(cuda);
    try (Comm comm = Fakes.builder(spec).build()) {
      Tensor there =
          Tensor.over(
              Storage.opaque(Arena.global().allocate(16), Device.of("cuda:0"), null),
              DType.F32,
              Shape.of(4));
      comm.allReduce(there, ReduceOp.SUM);
      comm.allReduce(Tensor.ones(Shape.of(4)), ReduceOp.SUM);
      comm.barrier();
      assertThat(cuda.submitted()).hasSize(1);
      assertThat(cpu.submitted()).hasSize(2);
      assertThat(comm.backends()).containsOnlyKeys("cpu", "cuda");
      assertThatThrownBy(() -> comm.allReduce(there, Tensor.ones(Shape.of(4)), ReduceOp.SUM))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("device cpu and on device cuda");
      Tensor other =
          Tensor.over(
              Storage.opaque(Arena.global().allocate(16), Device.of("privateuse1:0"), null),
              DType.F32,
              Shape.of(4));
      assertThatThrownBy(() -> comm.allReduce(other, ReduceOp.SUM))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no backend for device privateuse1:0; the comm serves {cpu=");
    }
  }

  @Test
  void badSpecificationsAreRefused() {
    for (String spec :
        List.of("cpu:", ":fake", "cpu:fake,cpu:fake", "cpu:fake:2", "cuda:fake", "")) {
      assertThatThrownBy(() -> Fakes.builder(spec).build())
          .as(spec)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void featuresAreGatedByVersion() {
    String old = Fakes.register(new FakeProvider(new FakeScript(), "1.2.0-beta"));
    try (Comm comm = Fakes.builder(old).build()) {
      assertThat(comm.has(Feature.MEMORY_REGISTRATION)).isTrue();
      comm.require(Feature.MEMORY_REGISTRATION);
      assertThat(comm.has(Feature.SPARSE_REDUCE)).isFalse();
      assertThatThrownBy(() -> comm.require(Feature.SPARSE_REDUCE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("sparse reduce needs " + old + " 2.0.0; found 1.2.0-beta");
    }
    String older = Fakes.register(new FakeProvider(new FakeScript(), "0.9"));
    assertThatThrownBy(() -> Fakes.builder(older).name("red").build())
        .hasMessage("named communicators needs " + older + " 1.0.0; found 0.9");
    Fakes.builder(older).build().close();
  }

  @Test
  void aProviderThatFailsToOpenIsToldWithTheSite() {
    BackendProvider broken =
        new FakeProvider(
            _ -> {
              throw new IllegalStateException("no such chip");
            });
    assertThatThrownBy(() -> Fakes.builder(Fakes.register(broken)).build())
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("init on comm 'main' failed (rank 0 of 1)")
        .hasMessageContaining("no such chip");
  }

  @Test
  void settingsSayTheirValueAndItsSource() {
    Map<String, String> environment =
        Map.of(
            "TORCHCOMM_TIMEOUT_SECONDS",
            "5",
            "JCOMMS_NAN_CHECK",
            "maybe",
            "JCOMMS_FLIGHT_RECORDER_SIZE",
            "0");
    assertThat(Setting.TIMEOUT_SECONDS.in(environment))
        .isEqualTo(new Setting.Value("5", "TORCHCOMM_TIMEOUT_SECONDS"));
    assertThat(Setting.INIT_TIMEOUT_SECONDS.in(environment).source()).isEqualTo("default");
    assertThatThrownBy(() -> Setting.NAN_CHECK.booleanIn(environment))
        .hasMessage("JCOMMS_NAN_CHECK=maybe is neither true nor false");
    assertThatThrownBy(() -> Setting.FLIGHT_RECORDER_SIZE.intIn(environment, 1, 10))
        .hasMessage("JCOMMS_FLIGHT_RECORDER_SIZE=0 is not a whole number from 1 to 10");
  }
}
