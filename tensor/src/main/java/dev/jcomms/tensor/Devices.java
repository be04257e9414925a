package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.internal.Services;
import dev.jcomms.tensor.spi.DeviceProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The devices of the process, and who provides their memory. Providers come by {@link #register} or
 * by {@link java.util.ServiceLoader}. Static; any thread may use it.
 */
public final class Devices {
  /** By type, never by a slot's given name. */
  private static final Map<String, DeviceProvider> PROVIDERS = new ConcurrentHashMap<>();

  private static final class Found {
    static {
      Services.devices(Devices::add);
    }

    static void load() {}
  }

  private Devices() {}

  /** Looks for providers, the first time. */
  static void load() {
    Found.load();
  }

  /**
   * Brings a device type into the process, until the registration is closed. A slot that the
   * provider names keeps the name.
   *
   * @throws IllegalArgumentException if the type is unknown or is the cpu, or its name is taken
   * @throws IllegalStateException if it has a provider already, or another name
   */
  public static RegistrationHandle register(DeviceProvider provider) {
    load();
    return add(provider);
  }

  private static RegistrationHandle add(DeviceProvider provider) {
    Device device = Device.of(provider.type());
    if (device.equals(Device.CPU)) {
      throw new IllegalArgumentException("device type 'cpu' needs no provider");
    }
    DeviceProvider present = PROVIDERS.putIfAbsent(device.type(), provider);
    if (present != null) {
      throw new IllegalStateException(
          "device type '" + device.type() + "' already has the provider " + present);
    }
    RegistrationHandle added =
        RegistrationHandle.once(() -> PROVIDERS.remove(device.type(), provider));
    try {
      if (!provider.name().equals(provider.type())) {
        Device.rename(device.type(), provider.name());
      }
    } catch (RuntimeException e) {
      added.close();
      throw e;
    }
    return added;
  }

  /** The provider of a device; none for the cpu, and for types that nobody has brought. */
  public static Optional<DeviceProvider> find(Device device) {
    load();
    return Optional.ofNullable(PROVIDERS.get(device.type()));
  }

  /**
   * The provider of a device other than the cpu.
   *
   * @throws IllegalStateException listing the devices that exist
   */
  public static DeviceProvider provider(Device device) {
    DeviceProvider provider =
        find(device)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no provider for device "
                            + device
                            + "; available: "
                            + available()
                            + "; give one to Devices.register"));
    if (device.index() >= provider.count()) {
      throw new IllegalStateException(
          "device " + device + " does not exist; available: " + available());
    }
    return provider;
  }

  /** Every device there is now, the cpu first. */
  public static List<Device> available() {
    load();
    List<Device> devices = new ArrayList<>(List.of(Device.CPU));
    new TreeMap<>(PROVIDERS)
        .forEach(
            (type, provider) -> {
              for (int i = 0; i < provider.count(); i++) {
                devices.add(Device.of(type, i));
              }
            });
    return List.copyOf(devices);
  }

  /** New memory on any device; zeroed on the cpu only. */
  public static Storage allocate(Device device, long bytes) {
    return device.equals(Device.CPU)
        ? Storage.allocate(bytes)
        : provider(device).allocate(device, bytes);
  }

  /** Waits for a device, if there is one, whose memory Java is about to touch by itself. */
  static void settle(Device device) {
    find(device).ifPresent(provider -> provider.synchronize(device));
  }

  /** Returns when everything started on the device is done; at once for the cpu. */
  public static void synchronize(Device device) {
    if (!device.equals(Device.CPU)) {
      provider(device).synchronize(device);
    }
  }
}
