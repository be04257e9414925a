package dev.jcomms.cli.check;

import dev.jcomms.cli.CliException;
import dev.jcomms.spi.Backends;
import dev.jcomms.testkit.Abilities;
import dev.jcomms.testkit.Conformance;
import dev.jcomms.testkit.Scenario;
import dev.jcomms.testkit.Subject;
import dev.jcomms.testkit.Tier;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What is to be checked; travels to other processes as words. */
record Plan(
    String backend,
    List<Integer> sizes,
    Tier tier,
    String filter,
    boolean verbose,
    Map<String, String> hints) {

  List<String> words() {
    List<String> numbers = new ArrayList<>();
    for (int size : sizes) numbers.add(Integer.toString(size));
    // A word must not be empty: some launchers drop those.
    List<String> words = new ArrayList<>();
    words.addAll(List.of(backend, String.join(",", numbers), tier.toString()));
    words.addAll(List.of("=" + filter, "" + verbose));
    hints.forEach((name, value) -> words.add(name + "=" + value));
    return words;
  }

  static Plan of(List<String> words) {
    List<Integer> sizes = new ArrayList<>();
    for (String number : words.get(1).split(",")) sizes.add(Integer.valueOf(number));
    Map<String, String> hints = new TreeMap<>();
    for (String hint : words.subList(5, words.size())) {
      hints.put(hint.substring(0, hint.indexOf('=')), hint.substring(hint.indexOf('=') + 1));
    }
    return new Plan(
        words.get(0),
        sizes,
        Tier.parse(words.get(2)),
        words.get(3).substring(1),
        Boolean.parseBoolean(words.get(4)),
        hints);
  }

  Plan ofSize(int size) {
    return new Plan(backend, List.of(size), tier, filter, verbose, hints);
  }

  /** Runs it on threads of this process. */
  Report runHere(PrintWriter out) {
    Subject subject = subject();
    Report report = new Report(out, this, version(), "threads");
    Conformance.run(subject, sizes, matching(), report);
    return report.end();
  }

  /** Runs it as one of many processes. */
  Report runAsRank(PrintWriter out, Map<String, String> environment) {
    Subject subject = subject();
    Report report = new Report(out, this, version(), "processes");
    Conformance.runAsRank(subject, environment, matching(), report);
    return report.end();
  }

  /** Makes sure that there is such a backend, and that it takes the hints. */
  void requirePossible() {
    subject();
  }

  private Subject subject() {
    try {
      Subject subject = Subject.of(backend).withTier(tier);
      for (Map.Entry<String, String> hint : hints.entrySet()) {
        subject = subject.withHint(hint.getKey(), hint.getValue());
      }
      Abilities.of(subject); // opens it, as every scenario will
      return subject;
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--backend=" + backend + ": " + e.getMessage());
    }
  }

  /** The backend's version, empty for a list of backends. */
  private String version() {
    return backend.contains(":") ? "" : Backends.get(backend).version();
  }

  private Predicate<Scenario> matching() {
    Predicate<String> names = Filter.of(filter);
    return scenario -> names.test(scenario.name());
  }
}
