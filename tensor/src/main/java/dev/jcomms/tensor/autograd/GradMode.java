package dev.jcomms.tensor.autograd;

import dev.jcomms.tensor.dispatch.Dispatcher;

/**
 * Whether operators of the calling thread are recorded for gradients: on at first.
 *
 * <pre>{@code
 * try (var _ = GradMode.noGrad()) {
 *   weight.sub_(weight.grad().mul(0.1));
 * }
 * }</pre>
 */
public final class GradMode {
  private GradMode() {}

  /** Off for this thread, until the scope is closed. */
  public static Dispatcher.Scope noGrad() {
    return Dispatcher.recording(false);
  }

  /** On for this thread, also inside {@link #noGrad}, until the scope is closed. */
  public static Dispatcher.Scope enableGrad() {
    return Dispatcher.recording(true);
  }

  public static boolean isEnabled() {
    return Dispatcher.isRecording();
  }
}
