package dev.jcomms.cli.info;

import dev.jcomms.Collective;
import dev.jcomms.Feature;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.GraphBackend;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a backend says of itself once it is opened, as a world of one.
 *
 * @param features each with the least version of the backend that has it
 * @param facts what else the backend tells of itself, as it orders them
 * @param problem why it cannot be opened here; empty if it can
 */
record BackendReport(
    String name,
    String version,
    List<String> devices,
    List<String> operations,
    List<String> dtypes,
    List<String> abilities,
    Map<String, String> features,
    Map<String, String> facts,
    String problem) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  static BackendReport of(String name, BackendProvider provider, Map<String, String> environment) {
    List<String> devices = List.copyOf(new TreeSet<>(provider.devices()));
    List<String> operations = new ArrayList<>();
    List<String> dtypes = new ArrayList<>();
    List<String> abilities = new ArrayList<>();
    Map<String, String> facts = Map.of();
    String problem = "";
    Device device = devices.contains("cpu") ? Device.CPU : Device.of(devices.getFirst());
    try (Store store = HashStore.create(PATIENCE);
        Backend backend = provider.open(alone(device, store, environment))) {
      for (Class<? extends Collective> kind : Collective.kinds()) {
        if (backend.supports().contains(kind)) operations.add(Collective.nameOf(kind));
      }
      for (DType dtype : DType.values()) {
        if (backend.dtypes().contains(dtype)) dtypes.add(dtype.shortName());
      }
      if (backend instanceof AbortableBackend) abilities.add("abort");
      if (backend instanceof GraphBackend) abilities.add("graphs");
      if (backend instanceof SymmetricBackend) abilities.add("symmetric memory");
      if (backend instanceof WindowBackend) abilities.add("windows");
      facts = provider.facts();
    } catch (RuntimeException | LinkageError e) {
      // A missing native library is an error of linking: no reason to hide the other backends.
      problem = e.getMessage() == null ? e.toString() : e.getMessage();
    }
    Map<String, String> features = new TreeMap<>();
    for (Map.Entry<Feature, String> entry : provider.features().entrySet()) {
      features.put(entry.getKey().toString(), entry.getValue());
    }
    return new BackendReport(
        name, provider.version(), devices, operations, dtypes, abilities, features, facts, problem);
  }

  private static BackendContext alone(Device device, Store store, Map<String, String> environment) {
    return new BackendContext(
        "info", 0, 1, List.of(0), device, store, PATIENCE, Map.of(), environment);
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("version", version);
    map.put("devices", devices);
    map.put("operations", operations);
    map.put("dtypes", dtypes);
    map.put("abilities", abilities);
    map.put("features", features);
    map.put("facts", facts);
    map.put("problem", problem.isEmpty() ? null : problem);
    return map;
  }
}
