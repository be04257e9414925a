package dev.jcomms;

import java.util.Locale;

/**
 * Something a backend has only from some version of what it stands on. See {@link Comm#require}.
 */
public enum Feature {
  NAMED_COMMUNICATORS,
  MEMORY_REGISTRATION,
  SPARSE_REDUCE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
