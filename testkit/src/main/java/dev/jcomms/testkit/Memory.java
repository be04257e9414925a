package dev.jcomms.testkit;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;

/**
 * How the kit gets tensors onto the device of the backend under test, and looks at them there. Any
 * thread.
 */
public interface Memory {
  /** The host's memory: tensors stay where they are. */
  Memory HOST =
      new Memory() {
        @Override
        public Device device() {
          return Device.CPU;
        }

        @Override
        public Tensor toDevice(Tensor host) {
          return host;
        }

        @Override
        public Tensor toHost(Tensor tensor) {
          return tensor;
        }
      };

  /** The device that operations are called on. */
  Device device();

  /** A contiguous tensor on the device with the elements of a host tensor. */
  Tensor toDevice(Tensor host);

  /** The present elements of a device tensor in a host tensor. */
  Tensor toHost(Tensor tensor);
}
