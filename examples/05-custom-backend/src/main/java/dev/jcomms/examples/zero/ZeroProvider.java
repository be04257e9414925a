package dev.jcomms.examples.zero;

import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Set;

/**
 * How the backend is found: {@code module-info.java} provides it, so being on the module path is
 * enough for the name to work. A jar without modules lists it in {@code META-INF/services}; a test
 * hands it to {@link dev.jcomms.spi.Backends#register}.
 */
public final class ZeroProvider implements BackendProvider {

  /** For the service loader. */
  public ZeroProvider() {}

  /** The name users write, as in {@code Comm.newComm("zero", Device.CPU)}. */
  @Override
  public String name() {
    return "zero";
  }

  @Override
  public String version() {
    return "1.0.0";
  }

  @Override
  public Set<String> devices() {
    return Set.of("cpu");
  }

  /**
   * One rank's end of a new communicator. A real backend meets the other ranks here, at {@link
   * BackendContext#store()}: posts its address, reads theirs, connects.
   */
  @Override
  public Backend open(BackendContext context) {
    return new ZeroBackend();
  }
}
