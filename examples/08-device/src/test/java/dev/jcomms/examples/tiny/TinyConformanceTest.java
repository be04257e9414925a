package dev.jcomms.examples.tiny;

import dev.jcomms.tensor.Device;
import dev.jcomms.testkit.DeviceConformance;

/** How a device author checks a device: every operator against the cpu. */
final class TinyConformanceTest extends DeviceConformance {
  @Override
  protected Device device() {
    return Device.of("tiny");
  }
}
