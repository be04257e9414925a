package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.HiddenDevice;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operators that a device has no kernel for run on the cpu as if they had run there. */
final class FallbacksTest {
  private static final Device DEVICE = Device.of("privateuse2", 1);
  private static final DispatchKey KEY = DispatchKey.PRIVATE_USE_2;

  private final HiddenDevice provider = new HiddenDevice("privateuse2");
  private final List<String> told = new ArrayList<>();
  private final List<RegistrationHandle> registered = new ArrayList<>();

  @BeforeEach
  void register() {
    registered.add(Devices.register(provider));
    registered.add(
        Library.define(
            "fall",
            m -> {
              m.def("twice(Tensor self) -> Tensor");
              m.def("scale_(Tensor(a!) self, Scalar by) -> Tensor(a!)");
              m.def("shift_(Tensor(a!) self, Tensor by) -> Tensor(a!)");
              m.def("total(Tensor[] all, Tensor? more=None) -> Tensor");
              m.def("count(int n, *, Device? device=None) -> Tensor");
              m.def("apart(Tensor self) -> (Tensor, int, Tensor?)");
              m.def("parts(Tensor self) -> Tensor[]");
              m.def("fill_all(Tensor(a!)[] all, Scalar by) -> ()");
              m.def("same(Tensor(a) self) -> Tensor(a)");
              m.def("broken(Tensor(a!) self) -> Tensor(a!)");
            }));
    registered.add(
        Library.impl(
            "fall",
            DispatchKey.CPU,
            m -> {
              m.boxed("twice", (_, _, args) -> each((Tensor) args[0], 2, 0));
              m.boxed("scale_", (_, _, args) -> scale((Tensor) args[0], (Scalar) args[1]));
              m.boxed("shift_", (_, _, args) -> shift((Tensor) args[0], (Tensor) args[1]));
              m.boxed("total", (_, _, args) -> total((List<?>) args[0], (Tensor) args[1]));
              m.boxed("count", (_, _, args) -> Tensor.arange((long) args[0]));
              m.boxed(
                  "apart", (_, _, args) -> new Object[] {each((Tensor) args[0], 1, 1), 7L, null});
              m.boxed("parts", (_, _, args) -> parts((Tensor) args[0]));
              m.boxed("fill_all", (_, _, args) -> fillAll((List<?>) args[0], (Scalar) args[1]));
              m.boxed("same", (_, _, args) -> args[0]);
              m.boxed(
                  "broken",
                  (_, _, args) -> {
                    ((Tensor) args[0]).fill(5);
                    throw new IllegalArgumentException("broken on purpose");
                  });
            }));
    registered.add(
        Library.impl("fall", KEY, m -> m.fallback(Fallbacks.cpu(op -> told.add(op.name())))));
  }

  @AfterEach
  void unregister() {
    registered.reversed().forEach(RegistrationHandle::close);
  }

  private static Tensor each(Tensor t, double factor, double more) {
    requireHost(t);
    double[] values = t.toDoubleArray();
    Tensor out = Tensor.of(Arrays.stream(values).map(v -> v * factor + more).toArray());
    return out.to(t.dtype()).view(t.shape());
  }

  private static Tensor scale(Tensor t, Scalar by) {
    return t.copyFrom(each(t, by.toDouble(), 0));
  }

  private static Tensor shift(Tensor t, Tensor by) {
    requireHost(by);
    t.copyFrom(Tensor.of(by.elements() + t.getDouble(0)).to(t.dtype()));
    // What is written to one must be seen in the other if they share memory.
    t.set(by.getDouble(0) * 10, 1);
    return t;
  }

  private static Tensor total(List<?> all, Tensor more) {
    double sum = more == null ? 0 : more.getDouble();
    for (Object o : all) {
      if (o != null) {
        requireHost((Tensor) o);
        sum += Arrays.stream(((Tensor) o).toDoubleArray()).sum();
      }
    }
    return Tensor.scalar(sum);
  }

  private static List<Tensor> parts(Tensor t) {
    return List.of(each(t, 1, 0), each(t, -1, 0));
  }

  private static Object fillAll(List<?> all, Scalar by) {
    all.forEach(t -> ((Tensor) t).fill(by.toDouble()));
    return null;
  }

  private static void requireHost(Tensor t) {
    assertThat(t.device()).isEqualTo(Device.CPU);
    assertThat(t.storage().isOpaque()).isFalse();
  }

  private static Tensor there(float... values) {
    return Tensor.of(values).to(DEVICE);
  }

  @Test
  void resultsComeBackToTheDeviceAndEachOperatorIsToldOnce() {
    Tensor x = there(1, 2, 3);
    for (int i = 0; i < 3; i++) {
      Tensor y = (Tensor) Dispatcher.call("fall::twice", x);
      assertThat(y.device()).isEqualTo(DEVICE);
      assertThat(y.toFloatArray()).containsExactly(2, 4, 6);
    }
    Dispatcher.call("fall::scale_", x, 1);
    assertThat(told).containsExactly("fall::twice", "fall::scale_");
  }

  @Test
  void whatIsWrittenIsWrittenThereAndReturnedAsItself() {
    Tensor x = there(1, 2, 3);
    assertThat(Dispatcher.call("fall::scale_", x, 3.0)).isSameAs(x);
    assertThat(x.toFloatArray()).containsExactly(3, 6, 9);
    Tensor matrix = there(1, 2, 3, 4);
    Tensor column = Ops.select(Ops.view(matrix, 2, 2), 1, 1);
    assertThat(Dispatcher.call("fall::scale_", column, 10)).isSameAs(column);
    assertThat(matrix.toFloatArray()).containsExactly(1, 20, 3, 40);
    Tensor a = there(1);
    Tensor b = there(2, 2);
    assertThat(Dispatcher.call("fall::fill_all", List.of(a, b), 4)).isNull();
    assertThat(a.toFloatArray()).containsExactly(4);
    assertThat(b.toFloatArray()).containsExactly(4, 4);
  }

  @Test
  void argumentsThatShareMemoryShareItOnTheCpu() {
    Tensor whole = there(1, 2, 3, 4);
    Tensor front = Ops.slice(whole, 0, 0, 3, 1);
    Tensor back = Ops.slice(whole, 0, 1, 3, 1);
    // front becomes 3 everywhere, then front[1] = 10 * back[0], and back[0] is front[1].
    Dispatcher.call("fall::shift_", front, back);
    assertThat(whole.toFloatArray()).containsExactly(3, 30, 3, 4);
  }

  @Test
  void listsUndefinedTensorsAndNumbersOfTheCpuGoAlong() {
    Tensor sum =
        (Tensor)
            Dispatcher.call("fall::total", List.of(there(1, 2), there(3)), Tensor.scalar(10.0));
    assertThat(sum.device()).isEqualTo(DEVICE);
    assertThat(sum.getDouble()).isEqualTo(16);
    assertThat(((Tensor) Dispatcher.call("fall::total", Arrays.asList(null, there(3)))).getDouble())
        .isEqualTo(3);
  }

  @Test
  void severalResultsAndListsComeBackOneByOne() {
    Object[] apart = (Object[]) Dispatcher.call("fall::apart", there(1, 2));
    assertThat(((Tensor) apart[0]).device()).isEqualTo(DEVICE);
    assertThat(((Tensor) apart[0]).toFloatArray()).containsExactly(2, 3);
    assertThat(apart[1]).isEqualTo(7L);
    assertThat(apart[2]).isNull();
    List<?> parts = (List<?>) Dispatcher.call("fall::parts", there(1, 2));
    assertThat(((Tensor) parts.get(1)).device()).isEqualTo(DEVICE);
    assertThat(((Tensor) parts.get(1)).toFloatArray()).containsExactly(-1, -2);
  }

  @Test
  void tensorsMadeFromNothingGoWhereTheyAreAskedFor() {
    Tensor made = (Tensor) Dispatcher.call("fall::count", 3, DEVICE);
    assertThat(made.device()).isEqualTo(DEVICE);
    assertThat(made.toLongArray()).containsExactly(0, 1, 2);
    assertThat(((Tensor) Dispatcher.call("fall::count", 3)).device()).isEqualTo(Device.CPU);
  }

  @Test
  void emptyZeroDimensionalStridedAndExpandedTensorsGoAlong() {
    Tensor empty = Tensor.zeros(Shape.of(0, 2)).to(DEVICE);
    assertThat(((Tensor) Dispatcher.call("fall::twice", empty)).shape()).isEqualTo(Shape.of(0, 2));
    Tensor zeroD = Tensor.scalar(DType.F32, 4.0).to(DEVICE);
    assertThat(((Tensor) Dispatcher.call("fall::twice", zeroD)).getDouble()).isEqualTo(8);
    Tensor turned = Ops.transpose(Ops.view(there(1, 2, 3, 4, 5, 6), 2, 3), 0, 1);
    assertThat(((Tensor) Dispatcher.call("fall::twice", turned)).toFloatArray())
        .containsExactly(2, 8, 4, 10, 6, 12);
    Tensor expanded = Ops.expand(there(1, 2), 2, 2);
    assertThat(((Tensor) Dispatcher.call("fall::twice", expanded)).toFloatArray())
        .containsExactly(2, 4, 2, 4);
  }

  @Test
  void aFailureOnTheCpuIsTheCallersAndChangesNothing() {
    Tensor x = there(1, 2);
    assertThatThrownBy(() -> Dispatcher.call("fall::broken", x))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("broken on purpose");
    assertThat(x.toFloatArray()).containsExactly(1, 2);
  }

  @Test
  void viewsAreRefusedWithTheirSchema() {
    assertThatThrownBy(() -> Dispatcher.call("fall::same", there(1)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("fall::same: its result shares memory with an argument")
        .hasMessageEndingWith("schema: fall::same(Tensor(a) self) -> Tensor(a)");
  }

  @Test
  void memoryThatJavaSeesIsUsedWhereItIs() {
    Storage shared = Storage.host(MemorySegment.ofArray(new float[] {1, 2}), DEVICE, null);
    Tensor t = Tensor.over(shared, DType.F32, Shape.of(2));
    int copies = provider.uploads.get() + provider.downloads.get();
    assertThat(Dispatcher.call("fall::scale_", t, 2)).isSameAs(t);
    assertThat(t.toFloatArray()).containsExactly(2, 4);
    assertThat(provider.uploads.get() + provider.downloads.get()).isEqualTo(copies);
  }

  @Test
  void aKernelOfTheDeviceRunsInsideItsGuard() {
    List<Device> seen = new ArrayList<>();
    try (var _ =
        Library.impl(
            "fall",
            KEY,
            m ->
                m.boxed(
                    "twice",
                    (_, _, args) -> {
                      seen.addAll(provider.current);
                      return args[0];
                    }))) {
      Dispatcher.call("fall::twice", there(1));
    }
    assertThat(seen).containsExactly(DEVICE);
    assertThat(provider.current).isEmpty();
  }

  @Test
  void aFallbackRunsInsideTheGuardToo() {
    List<Device> seen = new ArrayList<>();
    try (var _ =
        Library.impl(
            "fall",
            KEY,
            m ->
                m.fallback(
                    (_, _, args) -> {
                      seen.addAll(provider.current);
                      return args[0];
                    }))) {
      Dispatcher.call("fall::twice", there(1));
    }
    assertThat(seen).containsExactly(DEVICE);
    assertThat(provider.current).isEmpty();
  }

  @Test
  void aKernelHandsOnWhatItDoesNotServe() {
    try (var _ =
        Library.impl(
            "fall",
            KEY,
            m ->
                m.boxed(
                    "twice",
                    (_, _, args) ->
                        ((Tensor) args[0]).dtype() == DType.F32
                            ? args[0]
                            : Fallbacks.onCpu("fall::twice", args)))) {
      Tensor x = there(4);
      assertThat(Dispatcher.call("fall::twice", x)).isSameAs(x);
      Tensor whole = Tensor.of(4L).to(DEVICE);
      Tensor twice = (Tensor) Dispatcher.call("fall::twice", whole);
      assertThat(twice.device()).isEqualTo(DEVICE);
      assertThat(twice.toLongArray()).containsExactly(8);
    }
    assertThat(told).isEmpty();
  }

  @Test
  void numbersAreDrawnFromTheGeneratorOfTheDevice() {
    try (var _ = Library.impl("aten", KEY, m -> m.fallback(Fallbacks.cpu(_ -> {})))) {
      Generator given = new Generator(DEVICE).manualSeed(3);
      Tensor first = Ops.rand(new long[] {4}, given, DType.F32, DEVICE);
      Tensor second = Ops.rand(new long[] {4}, given, DType.F32, DEVICE);
      assertThat(first.device()).isEqualTo(DEVICE);
      assertThat(second.equal(first)).isFalse();
      assertThat(Ops.rand(new long[] {4}, given.manualSeed(3), DType.F32, DEVICE).equal(first))
          .isTrue();

      Generator own = Generator.defaultFor(DEVICE).manualSeed(3);
      Generator.State host = Generator.defaultFor(Device.CPU).state();
      assertThat(Ops.rand(new long[] {4}, null, DType.F32, DEVICE).equal(first)).isTrue();
      assertThat(own.state().drawn()).isPositive();
      assertThat(host.seed()).isEqualTo(Generator.defaultFor(Device.CPU).state().seed());
    }
  }

  @Test
  void aKernelThatReturnsNothingIsNamed() {
    try (var _ = Library.impl("fall", KEY, m -> m.boxed("twice", (_, _, _) -> null))) {
      assertThatThrownBy(() -> Dispatcher.call("fall::twice", there(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("fall::twice: the kernel for ")
          .hasMessageContaining("returned null; schema: fall::twice(Tensor self) -> Tensor");
    }
  }

  @Test
  void fallthroughGoesOnToTheNextKey() {
    try (var _ =
        Library.impl(
            "fall",
            DispatchKey.AUTOGRAD_PRIVATE_USE_2,
            m -> m.boxed("twice", Fallbacks.fallthrough()))) {
      assertThat(((Tensor) Dispatcher.call("fall::twice", there(4))).toFloatArray())
          .containsExactly(8);
    }
    assertThatThrownBy(
            () -> Library.impl("fall", KEY, m -> m.boxed("twice", Fallbacks.fallthrough())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("fallthrough: there is nothing below PrivateUse2");
    assertThatThrownBy(() -> Library.impl("_", KEY, m -> m.fallback(Fallbacks.fallthrough())))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
