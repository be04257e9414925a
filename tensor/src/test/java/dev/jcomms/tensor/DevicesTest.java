package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.dispatch.RegistrationHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device's memory is used through its provider, and through nothing else. */
final class DevicesTest {
  private static final Device FIRST = Device.of("privateuse3", 0);
  private static final Device SECOND = Device.of("privateuse3", 1);

  private final HiddenDevice provider = new HiddenDevice("privateuse3");
  private RegistrationHandle registered;

  @BeforeEach
  void register() {
    registered = Devices.register(provider);
  }

  @AfterEach
  void unregister() {
    registered.close();
  }

  @Test
  void registeredDevicesAreAvailableUntilClosed() {
    assertThat(Devices.available()).startsWith(Device.CPU).contains(FIRST, SECOND);
    assertThat(Devices.provider(SECOND)).isSameAs(provider);
    registered.close();
    assertThat(Devices.available()).contains(Device.CPU).doesNotContain(FIRST, SECOND);
    assertThatThrownBy(() -> Devices.provider(FIRST))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no provider for device " + FIRST + "; available: [cpu")
        .hasMessageEndingWith("]; give one to Devices.register");
  }

  @Test
  void aSecondProviderAnUnknownTypeAndTheCpuAreRefused() {
    assertThatThrownBy(() -> Devices.register(new HiddenDevice("privateuse3")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("device type 'privateuse3' already has the provider ");
    assertThatThrownBy(() -> Devices.register(new HiddenDevice("tpu")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no device type 'tpu'; available: [");
    assertThatThrownBy(() -> Devices.register(new HiddenDevice("cpu")))
        .hasMessage("device type 'cpu' needs no provider");
  }

  @Test
  void anIndexBeyondTheLastDeviceIsRefused() {
    assertThatThrownBy(() -> Ops.empty(DType.F32, new long[] {2}, Device.of("privateuse3", 2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("device .*:2 does not exist; available: \\[cpu, .*]")
        .hasMessageContaining(FIRST + ", " + SECOND);
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void everyDTypeGoesThereAndComesBack(DType dtype) {
    Tensor x = Tensor.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0).to(dtype).view(2, 3);
    Tensor there = x.to(FIRST);
    assertThat(there.device()).isEqualTo(FIRST);
    assertThat(there.dtype()).isEqualTo(dtype);
    assertThat(there.cpu().equal(x)).isTrue();
    assertThat(there.to(SECOND).cpu().equal(x)).isTrue();
    assertThat(there.toDoubleArray()).isEqualTo(x.toDoubleArray());
  }

  @Test
  void whatIsThereAlreadyIsNotCopied() {
    Tensor there = Tensor.of(1f, 2f).to(FIRST);
    int before = provider.uploads.get();
    assertThat(there.to(FIRST)).isSameAs(there);
    assertThat(there.to(FIRST, DType.F32)).isSameAs(there);
    assertThat(provider.uploads.get()).isEqualTo(before);
    assertThat(there.to(SECOND, DType.I64).toLongArray()).containsExactly(1, 2);
    Tensor x = Tensor.of(3f);
    assertThat(x.cpu()).isSameAs(x);
  }

  @Test
  void tensorsThatAreThereAreReadableInEveryWay() {
    Tensor there = Tensor.of(1f, 2f, 3f, 4f, 5f, 6f).view(2, 3).to(FIRST);
    Tensor turned = Ops.transpose(there, 0, 1);
    assertThat(there)
        .hasToString("tensor([[1., 2., 3.],\n        [4., 5., 6.]], device='" + FIRST + "')");
    assertThat(turned.toFloatArray()).containsExactly(1, 4, 2, 5, 3, 6);
    assertThat(turned.getFloat(2, 1)).isEqualTo(6);
    assertThat(turned.getInt(-1, 0)).isEqualTo(3);
    assertThat(there.equal(there.cpu())).isTrue();
    assertThat(there.allClose(there.to(SECOND))).isTrue();
    assertThat(there.equal(Tensor.zeros(Shape.of(2, 3)))).isFalse();
    assertThat(Ops.localScalarDense(Ops.select(Ops.select(there, 0, 1), 0, 2)))
        .isEqualTo(Scalar.of(6.0));
  }

  @Test
  void tensorsThatAreThereAreWritableThroughViews() {
    Tensor there = Tensor.zeros(Shape.of(2, 3)).to(FIRST);
    there.set(7, 1, 2);
    there.setLong(3, 0, 0);
    Ops.transpose(there, 0, 1).copyFrom(Tensor.of(0f, 0f, 1f, 1f, 2f, 2f).view(3, 2));
    assertThat(there.toFloatArray()).containsExactly(0, 1, 2, 0, 1, 2);
    Ops.select(there, 1, 1).fill(9);
    assertThat(there.toFloatArray()).containsExactly(0, 9, 2, 0, 9, 2);
    Tensor back = Tensor.zeros(DType.F64, Shape.of(2, 3));
    back.copyFrom(there);
    assertThat(back.toDoubleArray()).containsExactly(0, 9, 2, 0, 9, 2);
    assertThatThrownBy(() -> Ops.expand(there, 2, 2, 3).copyFrom(Tensor.ones(Shape.of(3))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> there.copyFrom(Tensor.ones(Shape.of(4))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDeviceIsNeverAskedToMoveNothing() {
    Tensor none = Tensor.zeros(Shape.of(0, 3)).to(FIRST);
    assertThat(none.shape()).isEqualTo(Shape.of(0, 3));
    assertThat(none.cpu().elements()).isZero();
    assertThat(none).hasToString("tensor([], device='" + FIRST + "', size=(0, 3))");
    none.fill(1);
    none.copyFrom(Tensor.of(1f));
    assertThat(none.equal(none)).isTrue();
    assertThatThrownBy(() -> none.copyFrom(Tensor.of(1f, 2f)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(provider.uploads).hasValue(0);
    assertThat(provider.downloads).hasValue(0);
  }

  @Test
  void memoryThatJavaSeesIsReadOnceTheDeviceIsDone() {
    Storage shared =
        Storage.host(java.lang.foreign.MemorySegment.ofArray(new float[] {1, 2}), FIRST, null);
    Tensor t = Tensor.over(shared, DType.F32, Shape.of(2));
    int before = provider.synchronized_.get();
    assertThat(t.cpu().toFloatArray()).containsExactly(1, 2);
    assertThat(provider.synchronized_.get()).isGreaterThan(before);
    for (Runnable touch :
        java.util.List.<Runnable>of(
            t::toFloatArray,
            () -> t.getFloat(0),
            () -> t.getLong(1),
            () -> t.set(3, 0),
            t::toString,
            () -> t.equal(t.cpu()))) {
      int earlier = provider.synchronized_.get();
      touch.run();
      assertThat(provider.synchronized_.get()).isGreaterThan(earlier);
    }
    Devices.synchronize(FIRST);
    Devices.synchronize(Device.CPU);
  }
}
