package dev.jcomms.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Names near to one that was mistyped. */
final class Suggestions {
  private Suggestions() {}

  /** Those of {@code names} that a third of the letters, or two, make out of {@code typed}. */
  static List<String> near(String typed, Collection<String> names) {
    int limit = Math.max(2, typed.length() / 3);
    return names.stream()
        .filter(name -> name.startsWith(typed) || distance(typed, name) <= limit)
        .filter(name -> name.length() > 2)
        .sorted(
            Comparator.comparingInt((String name) -> distance(typed, name)).thenComparing(s -> s))
        .limit(3)
        .toList();
  }

  /** Letters to add, drop, change, or swap with a neighbour. */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + change, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
    return d[a.length()][b.length()];
  }
}
