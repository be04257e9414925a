package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;

/** What tests of windows have in common. */
final class Windows {
  static final OpOptions OPTIONS = OpOptions.timeout(Rooms.PATIENCE);
  static final OpOptions SHORT = OpOptions.timeout(Duration.ofMillis(150));

  private Windows() {}

  static Tensor filled(long elements, long value) {
    return Tensor.full(DType.I64, Shape.of(elements), value);
  }

  static void done(Work work) {
    work.await(Rooms.PATIENCE);
  }

  static CommException failure(Runnable call) {
    return catchThrowableOfType(CommException.class, call::run);
  }
}
