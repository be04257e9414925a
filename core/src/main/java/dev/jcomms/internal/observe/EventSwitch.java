package dev.jcomms.internal.observe;

import jdk.jfr.FlightRecorder;

/**
 * Whether anybody records {@link CollectiveEvent}s. Apart from them, since merely loading an event
 * class starts all of JFR: a fifth of a second in the first operation of every process, recorded or
 * not.
 */
public final class EventSwitch {
  private static final class Loaded {
    static final CollectiveEvent PROBE = new CollectiveEvent();
  }

  private EventSwitch() {}

  /** Costs one volatile read while JFR is not in use. */
  public static boolean isOn() {
    return FlightRecorder.isInitialized() && Loaded.PROBE.isEnabled();
  }
}
