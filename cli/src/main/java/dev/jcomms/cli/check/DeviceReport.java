package dev.jcomms.cli.check;

import dev.jcomms.Codecs;
import dev.jcomms.cli.ResultFile;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.testkit.DeviceResult;
import dev.jcomms.testkit.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** How a device did: told operator by operator, summed up at the end. Used by one thread. */
final class DeviceReport implements Consumer<DeviceResult> {
  private final PrintWriter out;
  private final DevicePlan plan;
  private final Device device;
  private final DispatchKey key;
  private final long kernels;
  private final List<DeviceResult> results = new ArrayList<>();

  DeviceReport(PrintWriter out, DevicePlan plan, Device device) {
    this.out = out;
    this.plan = plan;
    this.device = device;
    this.key = DispatchKey.of(device);
    this.kernels = Dispatcher.operators().stream().filter(op -> op.keys().contains(key)).count();
    out.println(
        "device %s (%s), kernels of its own for %d operators, tier %s"
            .formatted(device, key, kernels, plan.tier()));
    out.flush();
  }

  @Override
  public void accept(DeviceResult result) {
    results.add(result);
    if (plan.verbose() || outcome(result) != Result.Outcome.PASSED) {
      out.println(result);
      out.flush();
    }
  }

  /** Sums up. */
  DeviceReport end() {
    if (results.isEmpty()) {
      out.println("no operator has '" + plan.filter() + "' in its name");
    } else {
      long passed = results.stream().mapToLong(DeviceResult::passed).sum();
      long failed = results.stream().mapToLong(result -> result.failures().size()).sum();
      long blocked = results.stream().mapToLong(DeviceResult::blocked).sum();
      out.println("  %-24s %s".formatted("operators", sum()));
      out.println(
          "  %-24s %d passed%s%s"
              .formatted(
                  "cases",
                  passed,
                  failed == 0 ? "" : ", " + failed + " failed",
                  blocked == 0 ? "" : ", " + blocked + " blocked"));
      out.println("%-26s %s, %s".formatted("all", sum(), seconds()));
    }
    out.flush();
    return this;
  }

  /** Nothing failed: 0. Something did, or nothing was run: 1. */
  int status() {
    return results.isEmpty() || count(Result.Outcome.FAILED) > 0 ? 1 : 0;
  }

  void write(Path file) throws IOException {
    List<Object> list = new ArrayList<>();
    for (DeviceResult result : results) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("operator", result.name());
      map.put("outcome", outcome(result).toString());
      map.put("passed", result.passed());
      map.put("blocked", result.blocked());
      map.put("failures", result.failures());
      map.put("seconds", result.time().toNanos() / 1e9);
      list.add(map);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("device", device.toString());
    document.put("key", key.toString());
    document.put("kernels", kernels);
    document.put("tier", plan.tier().toString());
    document.put("status", status());
    for (Result.Outcome outcome : Result.Outcome.values()) {
      document.put(outcome.toString(), count(outcome));
    }
    document.put("results", list);
    ResultFile.write(file, Codecs.JSON.encode(document));
  }

  private static Result.Outcome outcome(DeviceResult result) {
    if (result.isFailed()) return Result.Outcome.FAILED;
    return result.isSkipped() ? Result.Outcome.SKIPPED : Result.Outcome.PASSED;
  }

  private String sum() {
    List<String> parts = new ArrayList<>();
    for (Result.Outcome outcome : Result.Outcome.values()) {
      long count = count(outcome);
      if (count > 0) parts.add(count + " " + outcome);
    }
    return String.join(", ", parts);
  }

  private long count(Result.Outcome outcome) {
    return results.stream().filter(result -> outcome(result) == outcome).count();
  }

  private String seconds() {
    double seconds = results.stream().mapToLong(result -> result.time().toNanos()).sum() / 1e9;
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
