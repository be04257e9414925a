package dev.jcomms.tensor.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.HiddenDevice;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Fallbacks;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.optim.Adam;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Gradients on a device that has no kernel of its own: views, composites and the CPU's fallback.
 */
@Isolated // other tests have this device slot too
final class DeviceGradientsTest {
  private static final Device DEVICE = Device.of("privateuse3:0");

  private final List<RegistrationHandle> registered = new ArrayList<>();

  @BeforeEach
  void register() {
    registered.add(Devices.register(new HiddenDevice("privateuse3")));
    registered.add(
        Library.impl("aten", DispatchKey.PRIVATE_USE_3, m -> m.fallback(Fallbacks.cpu(_ -> {}))));
  }

  @AfterEach
  void unregister() {
    registered.reversed().forEach(RegistrationHandle::close);
  }

  @Test
  void aLeafOnTheDeviceHasItsGradientThere() {
    Tensor x = Tensor.of(1.0, 2, 3).to(DEVICE).requiresGrad(true);
    x.mul(x).sum().backward();
    assertThat(x.grad().device()).isEqualTo(DEVICE);
    assertThat(x.grad().toDoubleArray()).containsExactly(2, 4, 6);
    x.mul(3).sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(5, 7, 9);
  }

  @Test
  void anOptimizerGoesOnFromTheStateOfAnotherDevice() {
    Tensor there = Tensor.of(1.0, 2).to(DEVICE).requiresGrad(true);
    Tensor here = Tensor.of(1.0, 2).requiresGrad(true);
    Adam first = Adam.newBuilder(List.of(here)).lr(0.1).build();
    here.mul(here).sum().backward();
    first.step();
    try (var _ = GradMode.noGrad()) {
      there.copyFrom(here);
    }
    Adam second = Adam.newBuilder(List.of(there)).lr(0.1).build();
    second.restore(first.state());
    there.mul(there).sum().backward();
    second.step();
    here.zeroGrad();
    here.mul(here).sum().backward();
    first.step();
    assertThat(there.cpu().detach().allClose(here.detach(), 1e-12, 0, false)).isTrue();
  }

  @Test
  void gradientsCrossFromDeviceToDevice() {
    Tensor x = Tensor.of(1.0, 2, 3).requiresGrad(true);
    Tensor there = x.to(DEVICE);
    assertThat(there.requiresGrad()).isTrue();
    there.mul(there).sum().backward();
    assertThat(x.grad().device()).isEqualTo(Device.CPU);
    assertThat(x.grad().toDoubleArray()).containsExactly(2, 4, 6);
  }

  @Test
  void aWrittenViewOnTheDeviceGivesItsBaseAHistory() {
    Tensor x = Tensor.of(1.0, 2).to(DEVICE).requiresGrad(true);
    Tensor base = Ops.empty(DType.F64, new long[] {2, 2}, DEVICE).fill(0.0);
    base.select(1, 0).copyFrom(x);
    base.mul(base).sum().backward();
    assertThat(x.grad().toDoubleArray()).containsExactly(2, 4);
  }

  @Test
  void aModelTrainsAsOnTheCpu() {
    List<Double> host = losses(Device.CPU);
    List<Double> device = losses(DEVICE);
    assertThat(device).isEqualTo(host);
    assertThat(host.getLast()).isLessThan(host.getFirst() / 2);
  }

  private static List<Double> losses(Device device) {
    Tensor x = Tensor.randn(DType.F32, Shape.of(8, 5), 1).to(device);
    Tensor target = Tensor.of(0L, 1, 2, 0, 1, 2, 0, 1).to(device);
    Tensor w1 = Tensor.randn(DType.F32, Shape.of(6, 5), 2).to(device).requiresGrad(true);
    Tensor b1 = Tensor.zeros(Shape.of(6)).to(device).requiresGrad(true);
    Tensor w2 = Tensor.randn(DType.F32, Shape.of(3, 6), 3).to(device).requiresGrad(true);
    List<Double> losses = new ArrayList<>();
    for (int step = 0; step < 20; step++) {
      Tensor logits = Ops.linear(Ops.relu(Ops.linear(x, w1, b1)), w2, null);
      Tensor loss = Ops.crossEntropyLoss(logits, target, null, 1, -100, 0);
      loss.backward();
      losses.add(loss.item().toDouble());
      try (var _ = GradMode.noGrad()) {
        for (Tensor p : List.of(w1, b1, w2)) {
          Ops.add_(p, p.grad(), Scalar.of(-0.3));
          p.zeroGrad();
        }
      }
    }
    return losses;
  }
}
