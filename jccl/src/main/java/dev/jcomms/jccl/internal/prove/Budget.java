package dev.jcomms.jccl.internal.prove;

/** The work that one check may cost: a hostile plan is as large as it likes. */
final class Budget {
  /** The budget is spent. */
  static final class Spent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Spent() {
      super("budget spent", null, false, false);
    }
  }

  /** In steps that take nanoseconds each: some seconds in all. */
  private static final long WORK = 1_000_000_000L;

  private long left = WORK;

  void spend(long work) {
    left -= work;
    if (left < 0) {
      throw new Spent();
    }
  }
}
