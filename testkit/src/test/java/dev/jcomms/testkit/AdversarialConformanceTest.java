package dev.jcomms.testkit;

import dev.jcomms.tensor.Device;

/** A device without a single kernel does everything through composites and the cpu. */
final class AdversarialConformanceTest extends DeviceConformance {
  @Override
  protected Device device() {
    return Device.of(AdversarialDevice.INSTANCE.name(), 1);
  }
}
