package dev.jcomms.jccl.internal.select;

import dev.jcomms.Setting;
import dev.jcomms.jccl.AlgorithmCollection;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds a communicator's tuning table and the profile in it, so that all ranks have the same one or
 * none. A table that was named for this communicator and is refused is an error; one that the
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

  /** The profile to ask; null if there is none. Collective if there is a table. */
  static TuningTable.Profile profile(Customs customs, BackendContext context, Resources resources) {
    String hint = context.hints().getOrDefault("tuning", "");
    Setting.Value setting = Setting.TUNING.in(context.environment());
    if (hint.isBlank() && customs.table() == null && setting.text().isEmpty()) {
      return null;
    }
    boolean named = !hint.isBlank() || customs.table() != null;
    String what =
        !hint.isBlank()
            ? "hint tuning=" + hint
            : named ? "the given tuning table" : setting.source() + "=" + setting.text();
    TuningTable.Profile mine = null;
    String told;
    try {
      TuningTable table =
          hint.isBlank() && customs.table() != null
              ? customs.table()
              : read(hint.isBlank() ? setting.text() : hint);
      mine = table.match(hardware(resources.roster())).orElse(null);
      requireKnown(mine, customs.collection());
      told = mine == null ? "none" : digest(mine);
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
    if (mine == null) {
      warn(resources, what + " has nothing for " + hardware(resources.roster()));
    }
    return mine;
  }

  /** The same in every process, as hash codes are not. */
  private static String digest(TuningTable.Profile profile) {
    try {
      byte[] text = new TuningTable(List.of(profile)).toJson().getBytes(StandardCharsets.UTF_8);
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

  private static void requireKnown(TuningTable.Profile profile, AlgorithmCollection algorithms) {
    if (profile == null) {
      return;
    }
    profile
        .collectives()
        .forEach(
            (collective, entries) ->
                entries.stream()
                    .filter(entry -> !entry.choice().algorithm().equals("auto"))
                    .forEach(
                        entry ->
                            Fit.requireParameters(
                                algorithms.get(collective, entry.choice().algorithm()),
                                entry.choice())));
  }

  private static TuningTable.Profile refuse(boolean named, Resources resources, String reason) {
    if (named) {
      throw new IllegalArgumentException(reason);
    }
    warn(resources, reason);
    return null;
  }

  /** One rank speaks for all, and once: every split of a communicator would say the same. */
  private static void warn(Resources resources, String reason) {
    if (resources.roster().rank() == 0 && WARNED.size() < 100 && WARNED.add(reason)) {
      LOG.log(System.Logger.Level.WARNING, "{0}; jccl chooses by itself", reason);
    }
  }
}
