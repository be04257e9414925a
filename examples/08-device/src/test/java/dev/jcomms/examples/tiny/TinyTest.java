package dev.jcomms.examples.tiny;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The device is found, and trains a model as the cpu does. */
final class TinyTest {
  @Test
  void theServiceLoaderFindsIt() {
    assertThat(Devices.available()).contains(Device.of("tiny"));
    assertThat(Device.of("tiny")).hasToString("tiny:0");
  }

  @Test
  void aModelLearnsTheSameThere() {
    List<Double> cpu = App.train(Device.CPU);
    List<Double> tiny = App.train(Device.of("tiny"));
    assertThat(cpu.getLast()).isLessThan(0.6 * cpu.getFirst());
    for (int step = 0; step < cpu.size(); step++) {
      assertThat(tiny.get(step)).as("loss of step %d", step).isCloseTo(cpu.get(step), within(1e-4));
    }
  }
}
