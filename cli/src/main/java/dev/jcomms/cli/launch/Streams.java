package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which streams of which local ranks, as torchrun's {@code --redirects} and {@code --tee} say it:
 * {@code 0} none, {@code 1} stdout, {@code 2} stderr, {@code 3} both; one number for all ranks, or
 * {@code 0:1,1:2} by local rank.
 */
public final class Streams {
  public static final Streams NONE = new Streams(0, Map.of());

  private final int everywhere;
  private final Map<Integer, Integer> byRank;

  private Streams(int everywhere, Map<Integer, Integer> byRank) {
    this.everywhere = everywhere;
    this.byRank = byRank;
  }

  public static Streams parse(String option, String text) {
    if (text.matches("[0-3]")) return new Streams(Integer.parseInt(text), Map.of());
    Map<Integer, Integer> byRank = new TreeMap<>();
    for (String part : text.split(",", -1)) {
      if (!part.matches("[0-9]{1,9}:[0-3]")) {
        throw CliException.usage(
            "%s=%s: '%s' is neither 0, 1, 2, 3 nor LOCAL_RANK:0..3 (1 stdout, 2 stderr, 3 both)"
                .formatted(option, text, part));
      }
      String[] sides = part.split(":");
      byRank.put(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]));
    }
    return new Streams(0, byRank);
  }

  boolean stdout(int localRank) {
    return (byRank.getOrDefault(localRank, everywhere) & 1) != 0;
  }

  boolean stderr(int localRank) {
    return (byRank.getOrDefault(localRank, everywhere) & 2) != 0;
  }

  public boolean none() {
    return everywhere == 0 && byRank.values().stream().allMatch(v -> v == 0);
  }
}
