package dev.jcomms.testkit;

import java.util.Locale;

/** How much is tried: enough to trust a change, or everything. */
public enum Tier {
  /** Every operation, dtype and reduce op, with most sizes small. */
  QUICK,
  /** All sizes up to a million elements, with every dtype. */
  FULL;

  /** The tier of a name such as {@code quick}. */
  public static Tier parse(String name) {
    for (Tier tier : values()) {
      if (tier.toString().equalsIgnoreCase(name)) {
        return tier;
      }
    }
    throw new IllegalArgumentException("no tier named '" + name + "'; there are quick and full");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
