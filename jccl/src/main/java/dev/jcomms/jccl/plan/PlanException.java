package dev.jcomms.jccl.plan;

/**
 * A text that is no plan: says where in the JSON, what is there and what should be. Thrown by
 * {@link Plan#read(String)}.
 */
public final class PlanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String path;

  PlanException(String path, String problem) {
    super((path.isEmpty() ? "plan" : path) + ": " + problem);
    this.path = path;
  }

  /** The JSON path, as {@code gpus[1].threadblocks[0].ops[3].name}; empty for the whole text. */
  public String path() {
    return path;
  }
}
