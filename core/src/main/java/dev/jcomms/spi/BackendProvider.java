package dev.jcomms.spi;

import dev.jcomms.Feature;
import java.util.Map;
import java.util.Set;

/**
 * How a backend is found: declared with {@code provides} in a module, listed in {@code
 * META-INF/services}, or given to {@link Backends#register}. Stateless; any thread.
 */
public interface BackendProvider {
  /** The name users write: lower-case letters, digits, {@code - _}. */
  String name();

  /**
   * The version of the backend, or of the library it stands on: numbers separated by dots first.
   */
  String version();

  /** The device types it serves: {@code cpu}, {@code cuda}. */
  Set<String> devices();

  /** The least version for a feature; a feature not listed is not there at any version. */
  default Map<Feature, String> features() {
    return Map.of();
  }

  /**
   * What a person may want to know of it on this machine, by name, in the order to be read: {@code
   * transports} to {@code shared memory, tcp}. Shown by {@code jcomms info}; nothing depends on it.
   */
  default Map<String, String> facts() {
    return Map.of();
  }

  /**
   * One rank's end of a new communicator. Called on all its ranks at about the same time; meeting
   * them is the backend's part, through {@link BackendContext#store()}.
   */
  Backend open(BackendContext context);
}
