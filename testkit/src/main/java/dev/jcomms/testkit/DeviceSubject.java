package dev.jcomms.testkit;

import dev.jcomms.tensor.Device;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A device to be checked, and how. Immutable; every method returns a changed copy.
 *
 * @param device where tensors are put
 * @param tier how much is tried
 * @param tolerance how far results may be off
 * @param tolerances for operators that fit a pattern, the first that does
 * @param blocked cases not to be run, by pattern of names, with the reason
 */
public record DeviceSubject(
    Device device,
    Tier tier,
    OperatorTolerance tolerance,
    Map<String, OperatorTolerance> tolerances,
    Map<String, String> blocked) {

  public DeviceSubject {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(tier, "tier");
    Objects.requireNonNull(tolerance, "tolerance");
    tolerances = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(tolerances));
    blocked = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(blocked));
  }

  /** A device, with nothing blocked. */
  public static DeviceSubject of(Device device) {
    return new DeviceSubject(device, Tier.QUICK, OperatorTolerance.DEFAULT, Map.of(), Map.of());
  }

  public DeviceSubject withTier(Tier other) {
    return new DeviceSubject(device, other, tolerance, tolerances, blocked);
  }

  public DeviceSubject withTolerance(OperatorTolerance other) {
    return new DeviceSubject(device, tier, other, tolerances, blocked);
  }

  /** Another tolerance for operators whose name fits, as {@code softmax*}. */
  public DeviceSubject withTolerance(String pattern, OperatorTolerance other) {
    Map<String, OperatorTolerance> more = new LinkedHashMap<>(tolerances);
    more.put(pattern, other);
    return new DeviceSubject(device, tier, tolerance, more, blocked);
  }

  /**
   * Leaves out cases whose whole name fits: {@code sort*} an operator, {@code *f16*} a dtype,
   * {@code mm(*turned*} a kind of argument.
   */
  public DeviceSubject withBlocked(String pattern, String reason) {
    Map<String, String> more = new LinkedHashMap<>(blocked);
    more.put(pattern, reason);
    return new DeviceSubject(device, tier, tolerance, tolerances, more);
  }

  /** Why a case is left out, if it is. */
  public Optional<String> whyBlocked(String name) {
    return blocked.entrySet().stream()
        .filter(entry -> Glob.of(entry.getKey()).test(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** The tolerance for an operator. */
  public OperatorTolerance toleranceOf(String operator) {
    return tolerances.entrySet().stream()
        .filter(entry -> Glob.of(entry.getKey()).test(operator))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(tolerance);
  }
}
