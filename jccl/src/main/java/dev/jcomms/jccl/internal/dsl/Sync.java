package dev.jcomms.jccl.internal.dsl;

/** Where the threads of a block meet, relative to an op. */
public record Sync(boolean before, boolean after) {
  public static final Sync NONE = new Sync(false, false);
  public static final Sync BOTH = new Sync(true, true);

  Sync or(Sync other) {
    return new Sync(before || other.before, after || other.after);
  }

  Sync withoutBefore() {
    return new Sync(false, after);
  }

  Sync withoutAfter() {
    return new Sync(before, false);
  }
}
