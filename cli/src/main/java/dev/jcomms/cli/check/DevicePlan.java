package dev.jcomms.cli.check;

import dev.jcomms.cli.CliException;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.testkit.DeviceChecks;
import dev.jcomms.testkit.DeviceSubject;
import dev.jcomms.testkit.Tier;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Which device is to be checked, and how.
 *
 * @param blocked patterns of cases that are left out
 */
record DevicePlan(String device, Tier tier, String filter, boolean verbose, List<String> blocked) {

  /** As options of {@code jcomms check}. */
  List<String> words() {
    List<String> words = new ArrayList<>(List.of("--device", device, "--tier", tier.toString()));
    if (!filter.isEmpty()) words.addAll(List.of("--filter", filter));
    if (verbose) words.add("--verbose");
    blocked.forEach(pattern -> words.addAll(List.of("--block", pattern)));
    return words;
  }

  DeviceReport run(PrintWriter out) {
    DeviceSubject subject = DeviceSubject.of(find()).withTier(tier);
    for (String pattern : blocked) subject = subject.withBlocked(pattern, "--block");
    DeviceReport report = new DeviceReport(out, this, subject.device());
    DeviceChecks.run(subject, Filter.of(filter), report);
    return report.end();
  }

  /** The device, if it is there. */
  private Device find() {
    try {
      Device found = Device.parse(device);
      if (!found.equals(Device.CPU)) Devices.provider(found);
      return found;
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw CliException.usage("--device: " + e.getMessage());
    }
  }
}
