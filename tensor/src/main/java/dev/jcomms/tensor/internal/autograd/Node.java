package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * One recorded call: takes the gradients of its results, gives those of its inputs, and knows whose
 * they are. Edges run from later calls to earlier ones, so there is no circle.
 */
public abstract class Node {
  private static final AtomicLong SEQUENCE = new AtomicLong();

  /** Not of a call but of a leaf: served before all others, as soon as it is ready. */
  static final long FIRST = Long.MAX_VALUE;

  /** A hook on the gradient of one result; the same body twice is two hooks. */
  private static final class Hook {
    final int output;
    final UnaryOperator<Tensor> body;
    final boolean last;

    Hook(int output, UnaryOperator<Tensor> body, boolean last) {
      this.output = output;
      this.body = body;
      this.last = last;
    }
  }

  final long sequence;
  final Header[] outputs; // of the call's results; null where there is no gradient
  final Edges edges;
  private volatile CopyOnWriteArrayList<Hook> hooks; // null while nobody asked for one

  Node(Header[] outputs, Edges edges) {
    this(SEQUENCE.getAndIncrement(), outputs, edges);
  }

  Node(long sequence, Header[] outputs, Edges edges) {
    this.sequence = sequence;
    this.outputs = outputs;
    this.edges = edges;
  }

  /** As errors name it: {@code aten::mul.Tensor}. */
  abstract String name();

  /** As PyTorch would print it; it numbers overloads, which we do not. */
  String label() {
    String base = name().substring(name().indexOf("::") + (name().contains("::") ? 2 : 0));
    StringBuilder label = new StringBuilder();
    for (String word : base.replaceAll("\\..*", "").split("_")) {
      if (!word.isEmpty()) {
        label.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    return label + "Backward0";
  }

  /**
   * The inputs' gradients, one an edge, null where there is none.
   *
   * @param gradients the results', null where there is none; at least one is there, unless {@link
   *     #runsOnNothing}
   */
  abstract Tensor[] backward(Tensor[] gradients);

  /** Whether {@link #backward} is called also where no gradient at all has come. */
  boolean runsOnNothing() {
    return false;
  }

  /** Forgets what was kept for {@link #backward}. */
  void release() {}

  /**
   * Whether what {@link #backward} returned is nobody else's: not kept by the node, nor by the code
   * that computed it.
   */
  boolean gives(Tensor gradient) {
    return false;
  }

  /** Has the gradient of a result shown to {@code body}, which may give another. */
  RegistrationHandle hook(int output, UnaryOperator<Tensor> body) {
    return add(new Hook(output, body, false));
  }

  /** As the other, after all of those. */
  RegistrationHandle lastHook(int output, UnaryOperator<Tensor> body) {
    return add(new Hook(output, body, true));
  }

  private synchronized RegistrationHandle add(Hook hook) {
    if (hooks == null) {
      hooks = new CopyOnWriteArrayList<>();
    }
    CopyOnWriteArrayList<Hook> list = hooks;
    list.add(hook);
    return RegistrationHandle.once(() -> list.remove(hook));
  }

  boolean isHooked() {
    return hooks != null;
  }

  /** Shows the gradients to the hooks, in the order they came. */
  void runHooks(Tensor[] gradients) {
    runHooks(gradients, false);
    runHooks(gradients, true);
  }

  private void runHooks(Tensor[] gradients, boolean last) {
    for (Hook hook : hooks) {
      Tensor given = gradients[hook.output];
      if (hook.last == last && given != null) {
        Tensor changed = hook.body.apply(given);
        if (changed != null && changed != given) {
          Fitting.requireSame(changed, outputs[hook.output], "a hook on " + name());
          gradients[hook.output] = changed;
        }
      }
    }
  }
}
