package dev.jcomms.jccl.plan;

/** Something wrong or dubious in a plan, and where. Made by {@link Plan#validate}. */
public record Finding(Severity severity, Place place, String problem) {
  /** Whether a plan can run. */
  public enum Severity {
    /** The plan cannot run. */
    ERROR,

    /** It runs here; elsewhere, or in its author's mind, it may mean something else. */
    WARNING
  }

  @Override
  public String toString() {
    return severity.name().toLowerCase(java.util.Locale.ROOT) + ": " + place + ": " + problem;
  }
}
