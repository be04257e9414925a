package dev.jcomms.jccl.internal.select;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.algo.UnsuitableException;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.spi.BackendContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The engine of a communicator that was given algorithms or selectors: asks who is to do an
 * operation, and does what was chosen by another algorithm than the engine's own.
 *
 * <p>A choice that is infeasible, or that the engine refuses, gives way to the next selector's, and
 * at last to the engine's own; all ranks find it so alike. One that a hint forces is an error then.
 */
public final class SelectingEngine implements Engine {
  private static final int MOST_DECISIONS = 10_000;
  private static final System.Logger LOG = System.getLogger("dev.jcomms.jccl");

  private final Engine engine;
  private final AlgorithmCollection algorithms;
  private final List<Selector> selectors;
  private final Requests requests;
  private final Contexts contexts;
  private final Map<Asked, Decision> decisions = new HashMap<>();

  /** What a decision is for: the hint that forces an algorithm, or null. */
  private record Asked(String hint, Request request) {}

  private Decision last;
  private long lastHead;
  private long lastCount;
  private String lastHint;
  private String lastName = "";
  private boolean own;

  private SelectingEngine(
      Engine engine,
      Resources resources,
      AlgorithmCollection algorithms,
      List<Selector> selectors) {
    this.engine = engine;
    this.algorithms = algorithms;
    this.selectors = selectors;
    this.requests = new Requests(resources.roster(), resources.symmetric());
    this.contexts = new Contexts(resources);
  }

  /**
   * The engine to use: itself, if nothing was given and no tuning table is named, so that nothing
   * comes between then.
   */
  public static Engine over(
      Engine engine, Customs customs, BackendContext context, Resources resources) {
    List<Selector> selectors = new ArrayList<>(Tuning.selectors(customs, context, resources));
    if (customs.primary() != null) {
      selectors.addFirst(customs.primary());
    }
    if (customs.fallback() != null) {
      selectors.addLast(customs.fallback());
    }
    return customs.algorithms() == null && selectors.isEmpty()
        ? engine
        : new SelectingEngine(engine, resources, customs.collection(), List.copyOf(selectors));
  }

  @Override
  public int rank() {
    return engine.rank();
  }

  @Override
  public int size() {
    return engine.size();
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    String hint = options.hints().isEmpty() ? null : options.hints().get(Decision.HINT);
    // Facts tell requests apart, and cost less than a request.
    long head = Facts.head(op, options);
    long count = Facts.count(op);
    Decision decision = decide(op, hint, head, count);
    if (decision == null || hint == null && decision.algorithm() == null) {
      own = true;
      engine.perform(op, options, head, count, deadline);
    } else if (hint != null) {
      performForced(decision, hint, op, options, deadline);
    } else {
      performChosen(decision, op, options, deadline);
    }
  }

  private void performChosen(
      Decision decision, Collective op, OpOptions options, Deadline deadline) {
    Optional<String> reason;
    while ((reason = perform(decision, op, options, deadline)).isPresent()) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "{0} gives way for {1}: {2}",
          decision.choice(),
          decision.request(),
          reason.get());
      decision.next();
    }
  }

  private void performForced(
      Decision decision, String hint, Collective op, OpOptions options, Deadline deadline) {
    if (decision.algorithm() instanceof Builtin) {
      leave(op, options, deadline); // which says best why not, if not
      return;
    }
    Optional<String> reason = perform(decision, op, decision.free(deadline.timeout()), deadline);
    if (reason.isPresent()) {
      throw new IllegalArgumentException(
          "hint algorithm=%s: it cannot do this %s: %s"
              .formatted(hint, decision.request().collective(), reason.get()));
    }
  }

  /** Leaves the choice to the engine. */
  private void leave(Collective op, OpOptions options, Deadline deadline) {
    own = true;
    engine.perform(op, options, deadline);
  }

  /** Performs what was decided; why not, if it is infeasible: nothing has moved then. */
  private Optional<String> perform(
      Decision decision, Collective op, OpOptions options, Deadline deadline) {
    Algorithm algorithm = decision.algorithm();
    if (algorithm == null) {
      leave(op, options, deadline);
      return Optional.empty();
    }
    if (algorithm instanceof Builtin) {
      try {
        leave(op, decision.forced(options), deadline);
        own = false;
        lastName = algorithm.name();
        return Optional.empty();
      } catch (UnsuitableException e) {
        return Optional.of(e.getMessage()); // on all ranks alike
      }
    }
    return run(decision, algorithm, op, options, deadline);
  }

  /** Runs an algorithm that is not the engine's. */
  private Optional<String> run(
      Decision decision, Algorithm algorithm, Collective op, OpOptions options, Deadline deadline) {
    if (decision.context() == null) {
      Optional<String> refusal = Fit.refusal(algorithm, decision.choice(), decision.request());
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    OpTask.requireAlive(op, engine.rank());
    // Before anything of it runs: ranks that chose otherwise would wait in other places.
    // A plan that is prepared meets all ranks itself, and leaves the engine alone meanwhile.
    long head = Facts.head(op, decision.forced(options));
    boolean meets = algorithm instanceof PlanAlgorithm && decision.context() != null;
    deadline.begun();
    if (meets) {
      engine.announce(head, Facts.count(op), deadline);
    } else {
      engine.agree(head, Facts.count(op), deadline);
    }
    if (decision.context() == null) {
      Contexts.Context context =
          contexts.of(algorithm, decision.choice(), decision.request(), deadline);
      if (context.outcome() instanceof Algorithm.Infeasible(String reason)) {
        return Optional.of(reason);
      }
      decision.context(context);
    }
    RankSetup setup = decision.context().setup();
    setup.within(deadline);
    try {
      OpTask task = new OpTask(op, engine.rank(), engine.size(), algorithm.bufferMode());
      ((Algorithm.Ready) decision.context().outcome()).run().run(task);
      if (meets) {
        engine.confirm(deadline);
      }
      task.finish();
    } catch (CommException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) {
      // The others wait for what this rank will never do.
      throw new BackendException("algorithm '%s': %s".formatted(algorithm.name(), e), e);
    }
    own = false;
    lastName = decision.choice().toString();
    return Optional.empty();
  }

  /** What the operation gets, by a hint or the selectors; null for what only the engine does. */
  private Decision decide(Collective op, String hint, long head, long count) {
    if (head == lastHead
        && count == lastCount
        && Objects.equals(hint, lastHint)
        && last.request().symmetric() == requests.isSymmetric()) {
      return last;
    }
    Request request = requests.of(op);
    if (request == null) {
      return null;
    }
    if (decisions.size() > MOST_DECISIONS) {
      decisions.clear();
    }
    last = decisions.computeIfAbsent(new Asked(hint, request), this::decide);
    lastHead = head;
    lastCount = count;
    lastHint = hint;
    return last;
  }

  private Decision decide(Asked asked) {
    if (asked.hint == null) {
      return Decision.of(algorithms, selectors, asked.request);
    }
    try {
      return Decision.forced(algorithms, Choice.parse(asked.hint), asked.request);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("hint algorithm=" + asked.hint + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void agree(long head, long count, Deadline deadline) {
    engine.agree(head, count, deadline);
  }

  @Override
  public void announce(long head, long count, Deadline deadline) {
    engine.announce(head, count, deadline);
  }

  @Override
  public void confirm(Deadline deadline) {
    engine.confirm(deadline);
  }

  @Override
  public boolean wasPrompt() {
    return own && engine.wasPrompt();
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return own ? engine.algorithm(op, options) : lastName;
  }

  /** The engine is its maker's to close. */
  @Override
  public void close() {
    contexts.close();
  }
}
