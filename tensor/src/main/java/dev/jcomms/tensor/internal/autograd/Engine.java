package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * One backward pass, on the calling thread: from the outputs to the leaves, each node once all that
 * it waits for has come, the latest call first. Nothing recurses, so depth costs heap, not stack; a
 * pass inside a pass is another engine.
 */
final class Engine {
  private static final ThreadLocal<Engine> RUNNING = new ThreadLocal<>();

  private final Map<Node, Task> tasks = new IdentityHashMap<>();
  private final PriorityQueue<Task> ready = new PriorityQueue<>();
  private final boolean retain;
  private final Tensor[] captured; // null if leaves accumulate
  private List<Consumer<Throwable>> endings = List.of();

  private Engine(boolean retain, Tensor[] captured) {
    this.retain = retain;
    this.captured = captured;
  }

  /** Gradients end in the leaves. */
  static void accumulate(Edges roots, Tensor[] gradients, boolean retain, boolean createGraph) {
    new Engine(retain, null).run(roots, gradients, null, createGraph);
  }

  /** Gradients of {@code inputs} alone, in their order; null for those that are not reached. */
  static Tensor[] gradients(
      Edges roots, Tensor[] gradients, Edges inputs, boolean retain, boolean createGraph) {
    Tensor[] captured = new Tensor[inputs.count()];
    new Engine(retain, captured).run(roots, gradients, inputs, createGraph);
    return captured;
  }

  /** Has {@code ending} called when the innermost pass of this thread ends; false if none runs. */
  static boolean whenPassEnds(Consumer<Throwable> ending) {
    Engine engine = RUNNING.get();
    if (engine == null) {
      return false;
    }
    if (engine.endings.isEmpty()) {
      engine.endings = new ArrayList<>();
    }
    engine.endings.add(ending);
    return true;
  }

  private void run(Edges roots, Tensor[] gradients, Edges inputs, boolean createGraph) {
    Engine outer = RUNNING.get();
    RUNNING.set(this);
    Throwable failure = null;
    try {
      pass(roots, gradients, inputs, createGraph);
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      if (outer == null) {
        RUNNING.remove();
      } else {
        RUNNING.set(outer);
      }
      end(failure);
    }
  }

  /** Tells all who wait for the end; of a pass that went well, the first to throw is heard. */
  private void end(Throwable failure) {
    RuntimeException refused = null;
    for (Consumer<Throwable> ending : endings) {
      try {
        ending.accept(failure);
      } catch (RuntimeException e) {
        if (failure != null) {
          failure.addSuppressed(e);
        } else if (refused != null) {
          refused.addSuppressed(e);
        } else {
          refused = e;
        }
      }
    }
    if (refused != null) {
      throw refused;
    }
  }

  private void pass(Edges roots, Tensor[] gradients, Edges inputs, boolean createGraph) {
    List<Task> all = discover(roots);
    if (inputs != null) {
      markNeeded(all, inputs);
    }
    try (var _ = createGraph ? GradMode.enableGrad() : GradMode.noGrad()) {
      for (int i = 0; i < roots.count(); i++) {
        tasks.get(roots.nodes[i]).add(roots.outputs[i], gradients[i], false);
      }
      for (int i = 0; i < roots.count(); i++) {
        arrived(roots.nodes[i]);
      }
      for (Task next = ready.poll(); next != null; next = ready.poll()) {
        execute(next);
      }
    }
  }

  /** Every node that the roots lead to, with the number of those that lead to it. */
  private List<Task> discover(Edges roots) {
    List<Task> all = new ArrayList<>();
    ArrayDeque<Node> todo = new ArrayDeque<>();
    for (Node root : roots.nodes) {
      meet(root, all, todo);
    }
    while (!todo.isEmpty()) {
      for (Node next : todo.pop().edges.nodes) {
        if (next != null) {
          meet(next, all, todo);
        }
      }
    }
    return all;
  }

  private void meet(Node node, List<Task> all, ArrayDeque<Node> todo) {
    Task task = tasks.get(node);
    if (task == null) {
      task = new Task(node);
      tasks.put(node, task);
      all.add(task);
      todo.push(node);
    }
    task.pending++;
  }

  /** A node is needed if an input is behind it. Earlier calls first: edges lead to those. */
  private void markNeeded(List<Task> all, Edges inputs) {
    for (Task task : all) {
      task.needed = false;
    }
    for (int i = 0; i < inputs.count(); i++) {
      Task task = inputs.nodes[i] == null ? null : tasks.get(inputs.nodes[i]);
      if (task != null) {
        task.capture(inputs.outputs[i], i);
      }
    }
    all.sort(Comparator.comparingLong(t -> t.node.sequence));
    for (Task task : all) {
      for (Node next : task.node.edges.nodes) {
        Task behind = next == null ? null : tasks.get(next);
        task.needed |= behind != null && (behind.needed || behind.captures != null);
      }
    }
  }

  private void arrived(Node node) {
    Task task = tasks.get(node);
    if (--task.pending == 0 && (task.needed || task.captures != null)) {
      ready.add(task);
    }
  }

  private void execute(Task task) {
    Node node = task.node;
    tasks.remove(node); // its gradients are garbage once it has run
    Tensor[] inputs = null;
    if (!task.isEmpty() || node.runsOnNothing()) {
      try {
        inputs = run(task);
      } catch (RuntimeException | Error e) {
        e.addSuppressed(new Site(node));
        throw e;
      }
    }
    if (!task.needed) {
      return;
    }
    Edges edges = node.edges;
    for (int i = 0; i < edges.count(); i++) {
      Node next = edges.nodes[i];
      if (next == null) {
        continue;
      }
      Task behind = tasks.get(next);
      if (!behind.needed && behind.captures == null) {
        continue;
      }
      Tensor gradient = inputs == null ? null : inputs[i];
      if (gradient != null) {
        Tensor fitted = Fitting.fit(gradient, next.outputs[edges.outputs[i]], node.name());
        boolean given = fitted != gradient && isNew(fitted, gradient) || isGiven(task, inputs, i);
        behind.add(edges.outputs[i], fitted, given);
      }
      arrived(next);
    }
    if (!retain) {
      node.release();
    }
  }

  private Tensor[] run(Task task) {
    Node node = task.node;
    if (node.isHooked()) {
      node.runHooks(task.gradients);
      java.util.Arrays.fill(task.own, false); // a hook may have kept them
    }
    if (task.captures != null) {
      for (int i = 0; i < task.captures.length; i++) {
        if (task.captures[i] >= 0) {
          captured[task.captures[i]] = task.gradients[i];
          task.own[i] = false;
        }
      }
    }
    if (!task.needed) {
      return null;
    }
    if (node instanceof LeafNode leaf) {
      leaf.accumulate(task.gradients[0], task.own[0]);
      return null;
    }
    return node.backward(task.gradients);
  }

  private static boolean isNew(Tensor fitted, Tensor gradient) {
    return fitted.storage() != gradient.storage();
  }

  /**
   * Whether the memory of one of the node's results is nobody else's: neither the node's own, nor
   * another result's, nor that of a gradient that came in and was not ours.
   */
  private static boolean isGiven(Task task, Tensor[] inputs, int i) {
    Tensor gradient = inputs[i];
    for (int j = 0; j < inputs.length; j++) {
      if (j != i && inputs[j] != null && inputs[j].storage() == gradient.storage()) {
        return false;
      }
    }
    for (int j = 0; j < task.gradients.length; j++) {
      Tensor came = task.gradients[j];
      if (came != null && came.storage() == gradient.storage() && !task.own[j]) {
        return false;
      }
    }
    return task.node.gives(gradient);
  }

  /** Hung on what a formula throws: which call it was the formula of. */
  private static final class Site extends RuntimeException {
    private static final long serialVersionUID = 1;

    Site(Node node) {
      super("in backward of " + node.name() + " (call #" + node.sequence + ")", null, false, false);
    }
  }
}
