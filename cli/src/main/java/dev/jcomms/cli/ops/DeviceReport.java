package dev.jcomms.cli.ops;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.dispatch.Declaration;
import dev.jcomms.tensor.dispatch.Declarations;
import dev.jcomms.tensor.dispatch.Declarations.Missing;
import dev.jcomms.tensor.dispatch.DispatchKey;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far a device has come.
 *
 * @param own operators that it has kernels for
 * @param defaults how many others it has through kernels for every device
 * @param missing what it must still write, most needed first
 */
record DeviceReport(
    Device device, DispatchKey key, List<String> own, long defaults, List<Missing> missing) {

  static DeviceReport of(Device device) {
    DispatchKey key = DispatchKey.of(device);
    List<Declaration> all = Declarations.list();
    return new DeviceReport(
        device,
        key,
        all.stream().filter(op -> op.keys().contains(key)).map(Declaration::name).toList(),
        all.stream().filter(op -> !op.keys().contains(key) && op.hasDefault()).count(),
        Declarations.missing(key));
  }

  void print(PrintWriter out) {
    out.printf(
        "%s (%s): %d operators have kernels of its own, %d come through defaults, %d are missing%n",
        device, key, own.size(), defaults, missing.size());
    if (missing.isEmpty()) return;
    out.println();
    out.println("needed by  missing");
    for (Missing one : missing) {
      out.printf(
          "%9d  %s%s%n",
          one.dependents().size(), one.operator().schema(), one.fallback() ? "  (fallback)" : "");
    }
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("device", device.toString());
    map.put("key", key.toString());
    map.put("own", own);
    map.put("defaults", defaults);
    map.put("missing", missing.stream().map(DeviceReport::toMap).toList());
    return map;
  }

  private static Map<String, Object> toMap(Missing one) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", one.operator().name());
    map.put("schema", one.operator().schema().toString());
    map.put("needed_by", one.dependents());
    map.put("fallback", one.fallback());
    return map;
  }
}
