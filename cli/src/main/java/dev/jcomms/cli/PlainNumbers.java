package dev.jcomms.cli;

import java.util.Locale;

/**
 * Numbers in the digits 0 to 9, with a point, whatever the user's language: programs read what this
 * one prints. For every {@code main} of this module.
 */
public final class PlainNumbers {
  private PlainNumbers() {}

  /** From now on, in all of this JVM. */
  public static void everywhere() {
    // Not the category FORMAT alone: a PrintWriter does not ask for it.
    Locale.setDefault(Locale.ROOT);
  }
}
