package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;

/** One node in one backward pass: what it waits for, and the gradients that have come. */
final class Task implements Comparable<Task> {
  final Node node;

  /** Nodes that will still send something, or say that they send nothing. */
  int pending;

  /** Whether the pass needs what comes after this node. */
  boolean needed = true;

  final Tensor[] gradients;

  /** Whose memory nobody but this task has. */
  final boolean[] own;

  /** For each result, where its gradient is to be kept for the caller; null if nowhere. */
  int[] captures;

  Task(Node node) {
    this.node = node;
    this.gradients = new Tensor[node.outputs.length];
    this.own = new boolean[node.outputs.length];
  }

  void capture(int output, int slot) {
    if (captures == null) {
      captures = new int[gradients.length];
      java.util.Arrays.fill(captures, -1);
    }
    captures[output] = slot;
  }

  /** Adds a gradient; in place where the memory is ours and no graph is made. */
  void add(int output, Tensor gradient, boolean given) {
    Tensor present = gradients[output];
    if (present == null) {
      gradients[output] = gradient;
      own[output] = given;
    } else if (own[output] && present.isContiguous() && !GradMode.isEnabled()) {
      Sums.addInto(present, gradient);
    } else if (given && gradient.isContiguous() && !GradMode.isEnabled()) {
      Sums.addInto(gradient, present);
      gradients[output] = gradient;
      own[output] = true;
    } else {
      gradients[output] = Sums.add(present, gradient);
      own[output] = true;
    }
  }

  boolean isEmpty() {
    for (Tensor g : gradients) {
      if (g != null) {
        return false;
      }
    }
    return true;
  }

  /** The latest call first. */
  @Override
  public int compareTo(Task other) {
    return Long.compare(other.node.sequence, node.sequence);
  }
}
