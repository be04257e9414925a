package dev.jcomms.testkit;

import dev.jcomms.Registration;
import dev.jcomms.spi.Backends;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit asks for what the SPI says, not for what the reference happens to do. */
final class DirectConformanceTest extends BackendConformance {
  private static Registration registration;

  @BeforeAll
  static void register() {
    registration = Backends.register("direct", DirectBackend.provider());
  }

  @AfterAll
  static void deregister() {
    registration.close();
  }

  @Override
  protected String backend() {
    return "direct";
  }

  @Override
  protected List<Integer> worldSizes() {
    return List.of(2, 3);
  }
}
