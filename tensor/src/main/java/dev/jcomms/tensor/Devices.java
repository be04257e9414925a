package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Registration;
import dev.jcomms.tensor.spi.DeviceProvider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The device providers of the process, by type. Static; any thread may use it. */
public final class Devices {
  private static final Map<String, DeviceProvider> PROVIDERS = new ConcurrentHashMap<>();

  private static final class Found {
    static {
      for (DeviceProvider p :
          ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader())) {
        PROVIDERS.putIfAbsent(p.type(), p);
      }
    }

    static void load() {}
  }

  private Devices() {}

  /**
   * Brings a device type into the process, until the registration is closed.
   *
   * @throws IllegalArgumentException if the type is unknown, or is the cpu
   * @throws IllegalStateException if it has a provider already
   */
  public static Registration register(DeviceProvider provider) {
    Found.load();
    Device device = Device.of(provider.type());
    if (device.equals(Device.CPU)) {
      throw new IllegalArgumentException("device type 'cpu' needs no provider");
    }
    DeviceProvider present = PROVIDERS.putIfAbsent(device.type(), provider);
    if (present != null) {
      throw new IllegalStateException(
          "device type '" + device.type() + "' already has the provider " + present);
    }
    return Registration.once(() -> PROVIDERS.remove(device.type(), provider));
  }

  /**
   * The provider of a device other than the cpu.
   *
   * @throws IllegalStateException listing the types that have one
   */
  public static DeviceProvider provider(Device device) {
    Found.load();
    DeviceProvider provider = PROVIDERS.get(device.type());
    if (provider == null) {
      throw new IllegalStateException(
          "no provider for device "
              + device
              + "; available: "
              + new TreeMap<>(PROVIDERS).keySet()
              + "; give one to Devices.register");
    }
    if (device.index() >= provider.count()) {
      throw new IllegalStateException(
          "device " + device + " does not exist: the provider has " + provider.count());
    }
    return provider;
  }

  /** New memory on any device; zeroed on the cpu only. */
  public static Storage allocate(Device device, long bytes) {
    return device.equals(Device.CPU)
        ? Storage.allocate(bytes)
        : provider(device).allocate(device, bytes);
  }
}
