package dev.jcomms.cli.bench.op;

/** Whether an operation's result has memory of its own or takes the place of its input. */
public enum Form {
  OUT_OF_PLACE,
  IN_PLACE;

  public boolean inPlace() {
    return this == IN_PLACE;
  }

  /** {@code out-of-place} or {@code in-place}. */
  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
