package dev.jcomms.testkit;

import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is put to the test, and what its author says about it. Immutable.
 *
 * @param backend the name users write, or one per device type: {@code "cpu:gloo,cuda:nccl"}
 * @param memory where tensors are to be
 * @param hints for every communicator
 * @param blocked scenarios not to be run: a pattern of names, in which {@code *} stands for
 *     anything, with the reason
 * @param tolerance of results that need rounding
 * @param tier how much is tried
 * @param timeout of every operation that is to succeed; less once some scenarios have failed
 */
public record Subject(
    String backend,
    Memory memory,
    Map<String, String> hints,
    Map<String, String> blocked,
    Tolerance tolerance,
    Tier tier,
    Duration timeout) {

  public Subject {
    hints = Map.copyOf(new TreeMap<>(hints));
    blocked = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(blocked));
  }

  /** A backend on the CPU, of which nothing particular is known. */
  public static Subject of(String backend) {
    return new Subject(
        backend,
        Memory.HOST,
        Map.of(),
        Map.of(),
        Tolerance.DEFAULT,
        Tier.QUICK,
        Duration.ofSeconds(15));
  }

  /** The device that operations are called on. */
  public Device device() {
    return memory.device();
  }

  /** This subject with tensors elsewhere. */
  public Subject withMemory(Memory memory) {
    return new Subject(backend, memory, hints, blocked, tolerance, tier, timeout);
  }

  /** This subject with one hint more for every communicator. */
  public Subject withHint(String name, String value) {
    Map<String, String> more = new TreeMap<>(hints);
    more.put(name, value);
    return new Subject(backend, memory, more, blocked, tolerance, tier, timeout);
  }

  /** This subject without the scenarios of a pattern. */
  public Subject withBlocked(String pattern, String reason) {
    Map<String, String> more = new LinkedHashMap<>(blocked);
    more.put(pattern, reason);
    return new Subject(backend, memory, hints, more, tolerance, tier, timeout);
  }

  /** This subject with another tolerance. */
  public Subject withTolerance(Tolerance tolerance) {
    return new Subject(backend, memory, hints, blocked, tolerance, tier, timeout);
  }

  /** This subject tried more, or less. */
  public Subject withTier(Tier tier) {
    return new Subject(backend, memory, hints, blocked, tolerance, tier, timeout);
  }

  /** This subject with another timeout for operations that are to succeed. */
  public Subject withTimeout(Duration timeout) {
    return new Subject(backend, memory, hints, blocked, tolerance, tier, timeout);
  }

  /** Why a scenario is not to be run, if it is not. */
  Optional<String> whyBlocked(String scenario) {
    return blocked.entrySet().stream()
        .filter(entry -> Glob.of(entry.getKey()).test(scenario))
        .map(entry -> "blocked for backend '" + backend + "': " + entry.getValue())
        .findFirst();
  }
}
