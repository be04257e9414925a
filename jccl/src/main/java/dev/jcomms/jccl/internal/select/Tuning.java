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
  private static final String REFUSED = "refused ";

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

  /** Whom to ask, the first first; nobody without a table. Collective if there is one. */
  static List<Selector> selectors(Customs customs, BackendContext context, Resources resources) {
    String hint = context.hints().getOrDefault("tuning", "");
    Setting.Value setting = Setting.TUNING.in(context.environment());
    if (hint.isBlank() && customs.table() == null && setting.text().isEmpty()) {
      return List.of();
    }
    boolean named = !hint.isBlank() || customs.table() != null;
    String what =
        !hint.isBlank()
            ? "hint tuning=" + hint
            : named ? "the given tuning table" : setting.source() + "=" + setting.text();
    TuningTable mine = null;
    String told;
    try {
      TuningTable table =
          hint.isBlank() && customs.table() != null
              ? customs.table()
              : read(hint.isBlank() ? setting.text() : hint);
      mine = here(table, hardware(resources.roster()), customs.collection());
      told = digest(mine);
    } catch (IllegalArgumentException e) {
      told = REFUSED + e.getMessage();
    }
    List<String> all = resources.bulletin().exchange("tuning", told);
    for (int r = 0; r < all.size(); r++) {
      String theirs = all.get(r);
      if (theirs.startsWith(REFUSED)) {
        return refuse(
            named, resources, what + ": rank " + r + ": " + theirs.substring(REFUSED.length()));
      }
      if (!theirs.equals(told)) {
        return refuse(named, resources, what + ": rank " + r + " has another table than this rank");
      }
    }
    List<Selector> selectors = new ArrayList<>(mine.profiles());
    if (!mine.rules().isEmpty()) {
      selectors.add(byRules(mine));
    }
    if (selectors.isEmpty()) {
      warn(resources, what + " has nothing for " + hardware(resources.roster()));
    }
    return selectors;
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

  private static TuningTable read(String file) {
    try {
      return TuningTable.read(Path.of(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e, e);
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

  private static List<Selector> refuse(boolean named, Resources resources, String reason) {
    if (named) {
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
}
