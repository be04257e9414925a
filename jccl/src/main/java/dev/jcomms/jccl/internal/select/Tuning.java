package dev.jcomms.jccl.internal.select;

import dev.jcomms.Setting;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.TuningRule;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.internal.JcclVersion;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Finds a communicator's tuning table and what of it is for here, so that all ranks have the same
 * or none. A table that was named for this communicator and is refused is an error; one that the
 * environment names is left aside, and the log says why.
 */
public final class Tuning {
  private static final System.Logger LOG = System.getLogger("dev.jcomms.jccl");
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  // What ranks tell each other: a digest of what they have, or one of these.
  private static final String NONE = "none";
  private static final String REFUSED = "refused ";

  /** Comes first where the table was named for this communicator. */
  private static final String NAMED = "named ";

  private Tuning() {}

  /** Where this communicator is. */
  public static TuningTable.Hardware hardware(Roster roster) {
    return new TuningTable.Hardware(
        Proc.processor(),
        Runtime.getRuntime().availableProcessors(),
        JcclVersion.TEXT,
        roster.size(),
        Requests.ranksPerHost(roster),
        Requests.transport(roster));
  }

  /** Whether this rank was given a table. */
  public static boolean isGiven(Customs customs, BackendContext context) {
    return Given.of(customs, context) != null;
  }

  /** Whom to ask, the first first; nobody without a table. Collective if any rank has one. */
  static List<Selector> selectors(Customs customs, BackendContext context, Resources resources) {
    if (!resources.roster().tuned()) {
      return List.of();
    }
    Given given = Given.of(customs, context);
    TuningTable mine = null;
    String told = NONE;
    if (given != null) {
      try {
        mine = here(given.read(), hardware(resources.roster()), customs.collection());
        told = digest(mine);
      } catch (IllegalArgumentException e) {
        told = REFUSED + e.getMessage();
      }
    }
    boolean named = given != null && given.named();
    List<String> all = resources.bulletin().exchange("tuning", (named ? NAMED : "") + told);
    String trouble = trouble(all);
    if (trouble != null) {
      return refuse(all, resources, (given == null ? "" : given.what() + ": ") + trouble);
    }
    List<Selector> selectors = new ArrayList<>(mine.profiles());
    if (!mine.rules().isEmpty()) {
      selectors.add(byRules(mine));
    }
    if (selectors.isEmpty()) {
      warn(resources, given.what() + " has nothing for " + hardware(resources.roster()));
    }
    return selectors;
  }

  /** Why the ranks' tables, as they have told them, are not used; null if they are. */
  private static String trouble(List<String> all) {
    List<String> tables = all.stream().map(told -> told.replaceFirst("^" + NAMED, "")).toList();
    for (int r = 0; r < tables.size(); r++) {
      String table = tables.get(r);
      if (table.startsWith(REFUSED)) {
        return "rank " + r + ": " + table.substring(REFUSED.length());
      }
      if (table.equals(NONE)) {
        return "rank " + r + " has no tuning table, and others have";
      }
      if (!table.equals(tables.getFirst())) {
        return "rank " + r + " has another tuning table than rank 0";
      }
    }
    return null;
  }

  /** What of a table is for here. */
  private static TuningTable here(
      TuningTable table, TuningTable.Hardware hardware, AlgorithmCollection algorithms) {
    Optional<TuningTable.Profile> profile = table.match(hardware);
    profile.ifPresent(one -> requireKnown(table.profiles().indexOf(one), one, algorithms));
    requireKnown(table.rules(), algorithms);
    return new TuningTable(profile.stream().toList(), table.rules());
  }

  /** Where it depends on what only the engine finds out, the engine chooses. */
  private static Selector byRules(TuningTable table) {
    return request -> {
      List<Choice> candidates = table.candidates(request);
      return candidates.size() > 1 ? Optional.of(Choice.AUTO) : candidates.stream().findFirst();
    };
  }

  /** The same in every process, as hash codes are not. */
  private static String digest(TuningTable table) {
    try {
      byte[] text = table.toJson().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private static void requireKnown(
      int index, TuningTable.Profile profile, AlgorithmCollection algorithms) {
    profile
        .collectives()
        .forEach(
            (collective, entries) ->
                entries.forEach(
                    entry ->
                        requireKnown(
                            collective,
                            entry.choice(),
                            algorithms,
                            () ->
                                "profiles[%d].collectives.%s, message_size=%d"
                                    .formatted(index, collective, entry.bytes()))));
  }

  private static void requireKnown(List<TuningRule> rules, AlgorithmCollection algorithms) {
    for (int i = 0; i < rules.size(); i++) {
      for (String collective : rules.get(i).collectives()) {
        List<TuningRule.Row> rows = rules.get(i).rows();
        for (int j = 0; j < rows.size(); j++) {
          String place = "rules[%d].take[%d]".formatted(i, j);
          requireKnown(collective, rows.get(j).choice(), algorithms, () -> place);
        }
      }
    }
  }

  private static void requireKnown(
      String collective, Choice choice, AlgorithmCollection algorithms, Supplier<String> place) {
    if (choice.equals(Choice.AUTO)) {
      return;
    }
    try {
      Fit.requireParameters(algorithms.get(collective, choice.algorithm()), choice);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place.get() + ": " + e.getMessage(), e);
    }
  }

  /** All ranks or none: where one was named on any of them, all refuse it. */
  private static List<Selector> refuse(List<String> all, Resources resources, String reason) {
    if (all.stream().anyMatch(told -> told.startsWith(NAMED))) {
      throw new IllegalArgumentException(reason);
    }
    warn(resources, reason);
    return List.of();
  }

  /** One rank speaks for all, and once: every split of a communicator would say the same. */
  private static void warn(Resources resources, String reason) {
    if (resources.roster().rank() == 0 && WARNED.size() < 100 && WARNED.add(reason)) {
      LOG.log(System.Logger.Level.WARNING, "{0}; jccl chooses by itself", reason);
    }
  }

  /**
   * A table that this rank was given, not read yet.
   *
   * @param file where it is; null if it was given as it is
   * @param table as it was given; null if it is to be read
   * @param named whether for this communicator, and not by the environment
   * @param what how messages call it
   */
  private record Given(String file, TuningTable table, boolean named, String what) {
    /** Null if there is none. */
    static Given of(Customs customs, BackendContext context) {
      String hint = context.hints().getOrDefault("tuning", "");
      if (!hint.isBlank()) {
        return new Given(hint, null, true, "hint tuning=" + hint);
      }
      if (customs.table() != null) {
        return new Given(null, customs.table(), true, "the given tuning table");
      }
      Setting.Value setting = Setting.TUNING.in(context.environment());
      String file = setting.text();
      return file.isEmpty() ? null : new Given(file, null, false, setting.source() + "=" + file);
    }

    TuningTable read() {
      if (table != null) {
        return table;
      }
      try {
        return TuningTable.read(Path.of(file));
      } catch (IOException e) {
        throw new IllegalArgumentException(file + " cannot be read: " + e, e);
      }
    }
  }
}
