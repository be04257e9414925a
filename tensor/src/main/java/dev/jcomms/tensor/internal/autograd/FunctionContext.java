package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.DifferentiableFunction;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** What the two halves of a custom function tell each other. */
final class FunctionContext implements DifferentiableFunction.Context {
  private final String name;
  private final Edges edges;
  private final Set<Tensor> dirty = identities();
  private final Set<Tensor> constant = identities();
  private Tensor[] named = new Tensor[0];
  private Saved[] saved; // null before the call is recorded, and after it was freed
  private boolean released;
  boolean materialize = true;

  FunctionContext(String name, Edges edges) {
    this.name = name;
    this.edges = edges;
  }

  private static Set<Tensor> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  @Override
  public void saveForBackward(Tensor... tensors) {
    named = tensors.clone();
  }

  @Override
  public Tensor[] saved() {
    if (released) {
      throw new IllegalStateException(
          "Trying to backward through the graph a second time: what "
              + name
              + " had kept was freed by the first pass; give that one retainGraph=true");
    }
    if (saved == null) {
      return named.clone();
    }
    Tensor[] all = new Tensor[saved.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = saved[i] == null ? null : saved[i].get(name);
    }
    return all;
  }

  @Override
  public void markNonDifferentiable(Tensor... results) {
    Collections.addAll(constant, results);
  }

  @Override
  public void markDirty(Tensor... inputs) {
    Collections.addAll(dirty, inputs);
  }

  @Override
  public boolean needsInputGrad(int input) {
    return edges.wants(input);
  }

  @Override
  public void materializeGrads(boolean wanted) {
    materialize = wanted;
  }

  /** An input that was written lives on as a result, or nobody could tell which value is meant. */
  void requireDirtyReturned(Tensor[] results) {
    Set<Tensor> returned = identities();
    Collections.addAll(returned, results);
    if (!returned.containsAll(dirty)) {
      throw new IllegalStateException(
          name
              + ": some inputs marked as dirty during the forward method were not returned as"
              + " output; those that are modified in place must all be among the results");
    }
  }

  boolean isDirty(Tensor t) {
    return dirty.contains(t);
  }

  boolean isNonDifferentiable(Tensor t) {
    return constant.contains(t);
  }

  /** The call is recorded: from here on, changes to what was kept are noticed. */
  void keep() {
    saved = new Saved[named.length];
    for (int i = 0; i < saved.length; i++) {
      saved[i] = named[i] == null ? null : new Saved(named[i]);
    }
    named = null;
    dirty.clear();
    constant.clear();
  }

  void release() {
    released = saved != null && saved.length > 0;
    saved = null;
    named = new Tensor[0];
  }
}
