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
 * Which device is to be checked, and how; travels to another process as words.
 *
 * @param blocked patterns of cases that are left out
 */
record DevicePlan(String device, Tier tier, String filter, boolean verbose, List<String> blocked) {

  List<String> words() {
    // A word must not be empty: some launchers drop those.
    List<String> words = new ArrayList<>();
    words.addAll(List.of(device, tier.toString(), "=" + filter, "" + verbose));
    blocked.forEach(pattern -> words.add("=" + pattern));
    return words;
  }

  static DevicePlan of(List<String> words) {
    return new DevicePlan(
        words.get(0),
        Tier.parse(words.get(1)),
        words.get(2).substring(1),
        Boolean.parseBoolean(words.get(3)),
        words.subList(4, words.size()).stream().map(word -> word.substring(1)).toList());
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
