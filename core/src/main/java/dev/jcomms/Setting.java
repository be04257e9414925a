package dev.jcomms;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Every setting that JComms reads from the environment, in one place: {@code jcomms info} prints
 * this list.
 *
 * <p>The first variable that is set and not blank wins; an explicit option of the API wins over
 * all.
 */
public enum Setting {
  RANK(
      "",
      "this rank",
      "JCOMMS_RANK",
      "TORCHCOMM_RANK",
      "RANK",
      "OMPI_COMM_WORLD_RANK",
      "PMI_RANK",
      "SLURM_PROCID"),
  SIZE(
      "",
      "the number of ranks",
      "JCOMMS_SIZE",
      "TORCHCOMM_SIZE",
      "WORLD_SIZE",
      "OMPI_COMM_WORLD_SIZE",
      "PMI_SIZE",
      "SLURM_NTASKS"),
  MASTER_ADDR(
      "",
      "where the store is, or is to be hosted by rank 0",
      "JCOMMS_MASTER_ADDR",
      "MASTER_ADDR",
      "MSCCLPP_MASTER_ADDR"),
  MASTER_PORT("", "the store's port", "JCOMMS_MASTER_PORT", "MASTER_PORT", "MSCCLPP_MASTER_PORT"),
  AGENT_STORE(
      "false",
      "whether the launcher hosts the store",
      "JCOMMS_AGENT_STORE",
      "TORCHELASTIC_USE_AGENT_STORE"),
  STORE_FILE("", "a file to meet at instead of a port", "JCOMMS_STORE_FILE"),
  SECRET("", "the job's secret, at least 16 characters", "JCOMMS_SECRET"),
  SECRET_FILE("", "a file that holds the job's secret", "JCOMMS_SECRET_FILE"),
  GENERATION(
      "0",
      "how often the job was restarted; keeps the keys of its lives apart",
      "JCOMMS_GENERATION",
      "TORCHELASTIC_RESTART_COUNT"),
  TIMEOUT_SECONDS(
      "600", "timeout of operations", "JCOMMS_TIMEOUT_SECONDS", "TORCHCOMM_TIMEOUT_SECONDS"),
  INIT_TIMEOUT_SECONDS(
      "300", "how long ranks may take to find each other", "JCOMMS_INIT_TIMEOUT_SECONDS"),
  HEARTBEAT_SECONDS(
      "5",
      "how long a rank may be stopped or silent before it counts as lost",
      "JCOMMS_HEARTBEAT_SECONDS"),
  ABORT_ON_ERROR(
      "false",
      "whether a failed operation ends the process",
      "JCOMMS_ABORT_ON_ERROR",
      "TORCHCOMM_ABORT_ON_ERROR"),
  BACKEND(
      "", "the backend where none is named (World); else jccl, else reference", "JCOMMS_BACKEND"),
  TUNING("", "a tuning table for jccl, as jcomms tune makes them", "JCOMMS_TUNING"),
  NAN_CHECK("false", "whether inputs with NaN are refused", "JCOMMS_NAN_CHECK"),
  LOG_OPERATIONS("false", "whether every operation is logged", "JCOMMS_LOG_OPERATIONS"),
  FLIGHT_RECORDER_SIZE(
      "2000", "how many operations the flight recorder keeps", "JCOMMS_FLIGHT_RECORDER_SIZE"),
  FLIGHT_RECORDER_DIR(
      "",
      "the folder for flight records dumped on timeout or abort; none if unset",
      "JCOMMS_FLIGHT_RECORDER_DIR");

  /**
   * A setting's value and where it came from.
   *
   * @param source the variable's name, or {@code default}
   */
  public record Value(String text, String source) {}

  private final String defaultText;
  private final String description;
  private final List<String> variables;

  Setting(String defaultText, String description, String... variables) {
    this.defaultText = defaultText;
    this.description = description;
    this.variables = List.of(variables);
  }

  /** The value in an environment. */
  public Value in(Map<String, String> environment) {
    for (String variable : variables) {
      String text = environment.get(variable);
      if (text != null && !text.isBlank()) {
        return new Value(text.strip(), variable);
      }
    }
    return new Value(defaultText, "default");
  }

  /** The value as a whole number from {@code least} to {@code most}. */
  public int intIn(Map<String, String> environment, int least, int most) {
    Value value = in(environment);
    try {
      int number = Integer.parseInt(value.text());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below, with the range
    }
    throw new IllegalArgumentException(
        value.source()
            + "="
            + value.text()
            + " is not a whole number from "
            + least
            + " to "
            + most);
  }

  /** The value as a yes or no: 1, true, yes, on, y and their opposites, as PyTorch reads them. */
  public boolean booleanIn(Map<String, String> environment) {
    Value value = in(environment);
    return switch (value.text().toLowerCase(java.util.Locale.ROOT)) {
      case "1", "true", "yes", "on", "y", "t" -> true;
      case "0", "false", "no", "off", "n", "f" -> false;
      default ->
          throw new IllegalArgumentException(
              value.source() + "=" + value.text() + " is neither true nor false");
    };
  }

  /** The value as a positive time in seconds, which may have a fraction. */
  public Duration secondsIn(Map<String, String> environment) {
    Value value = in(environment);
    try {
      double seconds = Double.parseDouble(value.text());
      if (seconds > 0 && seconds < 1e9) {
        return Duration.ofNanos(Math.max(1, Math.round(seconds * 1e9)));
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        value.source() + "=" + value.text() + " is not a positive number of seconds");
  }

  /** Whether the value must not be shown. */
  public boolean isSecret() {
    return this == SECRET;
  }

  /** What it is when nothing is set; empty for none. */
  public String defaultText() {
    return defaultText;
  }

  /** What it does, in a few words. */
  public String description() {
    return description;
  }

  /** The variables that set it, the strongest first. */
  public List<String> variables() {
    return variables;
  }
}
