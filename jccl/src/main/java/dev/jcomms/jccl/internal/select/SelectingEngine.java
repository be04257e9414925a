package dev.jcomms.jccl.internal.select;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.tensor.DType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The engine of a communicator that was given algorithms or selectors: asks who is to do an
 * operation, and does what was chosen by another algorithm than the engine's own.
 *
 * <p>A choice that is infeasible, or that the engine refuses, gives way to the next selector's, and
 * at last to the engine's own; all ranks find it so alike. One that a hint forces is an error then.
 */
public final class SelectingEngine implements Engine {
  private static final String HINT = "algorithm";
  private static final int MOST_DECISIONS = 10_000;
  private static final System.Logger LOG = System.getLogger("dev.jcomms.jccl");

  private final Engine engine;
  private final AlgorithmCollection algorithms;
  private final List<Selector> selectors;
  private final Requests requests;
  private final Contexts contexts;
  private final Map<Request, Decision> decisions = new HashMap<>();

  private Decision last;
  private Class<?> lastKind;
  private long lastBytes;
  private DType lastDtype;
  private ReduceOp lastOp;
  private String lastName = "";
  private boolean own;

  /** What a request gets: choices in order, the first not yet found infeasible. */
  private static final class Decision {
    final Request request;
    final List<Choice> choices;
    int at;
    /** Of the choice, once it is found feasible. */
    Contexts.Context context;

    private OpOptions given;
    private OpOptions forced;

    Decision(Request request, List<Choice> choices) {
      this.request = request;
      this.choices = choices;
    }

    Choice choice() {
      return choices.get(at);
    }

    /** The options with the choice as a hint; the same object for the same options. */
    OpOptions forced(OpOptions options) {
      if (options != given) {
        given = options;
        forced = options.withHint(HINT, choice().toString());
      }
      return forced;
    }

    void next() {
      at++;
      given = null;
      context = null;
    }
  }

  private SelectingEngine(
      Engine engine, Means means, AlgorithmCollection algorithms, List<Selector> selectors) {
    this.engine = engine;
    this.algorithms = algorithms;
    this.selectors = selectors;
    this.requests = new Requests(means.roster());
    this.contexts = new Contexts(means);
  }

  /**
   * The engine to use: itself, if nothing was given and no tuning table is named, so that nothing
   * comes between then.
   */
  public static Engine over(
      Engine engine, Customs customs, BackendContext context, Means means) {
    List<Selector> selectors =
        Stream.of(customs.primary(), Tuning.profile(customs, context, means), customs.fallback())
            .filter(Objects::nonNull)
            .toList();
    return customs.algorithms() == null && selectors.isEmpty()
        ? engine
        : new SelectingEngine(engine, means, customs.collection(), selectors);
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
    if (!options.hints().isEmpty() && options.hints().containsKey(HINT)) {
      performForced(op, options, deadline);
      return;
    }
    Decision decision = decide(op);
    if (decision == null) {
      leave(op, options, deadline);
      return;
    }
    while (!perform(decision, op, options, deadline)) {
      LOG.log(
          System.Logger.Level.DEBUG, "{0} gives way for {1}", decision.choice(), decision.request);
      decision.next();
    }
  }

  /** Leaves the choice to the engine. */
  private void leave(Collective op, OpOptions options, Deadline deadline) {
    own = true;
    engine.perform(op, options, deadline);
  }

  /** False if the choice is infeasible here; nothing has moved then. */
  private boolean perform(
      Decision decision, Collective op, OpOptions options, Deadline deadline) {
    Choice choice = decision.choice();
    if (choice.equals(Choice.AUTO)) {
      leave(op, options, deadline);
      return true;
    }
    Algorithm algorithm = algorithms.get(decision.request.collective(), choice.algorithm());
    OpOptions forced = decision.forced(options);
    if (algorithm instanceof Builtin) {
      try {
        leave(op, forced, deadline);
        lastName = choice.algorithm();
        own = false;
        return true;
      } catch (IllegalArgumentException e) {
        return false; // refused, on all ranks alike
      }
    }
    return run(algorithm, decision, op, forced, deadline).isEmpty();
  }

  private void performForced(Collective op, OpOptions options, Deadline deadline) {
    String name = options.hints().get(HINT);
    String collective = Requests.collective(op);
    if (collective == null) {
      leave(op, options, deadline);
      return;
    }
    Choice choice = Choice.parse(name);
    if (choice.equals(Choice.AUTO)) {
      leave(op, OpOptions.timeout(deadline.timeout()), deadline);
      return;
    }
    Algorithm algorithm;
    try {
      algorithm = algorithms.get(collective, choice.algorithm());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("hint algorithm=" + name + ": " + e.getMessage());
    }
    if (algorithm instanceof Builtin) {
      leave(op, options, deadline);
      return;
    }
    Decision decision = new Decision(request(collective, op), List.of(choice));
    Optional<String> reason = run(algorithm, decision, op, options, deadline);
    if (reason.isPresent()) {
      throw new IllegalArgumentException(
          "hint algorithm=%s: it cannot do this %s: %s"
              .formatted(name, collective, reason.get()));
    }
  }

  /** Runs an algorithm that is not the engine's; why not, if it is infeasible. */
  private Optional<String> run(
      Algorithm algorithm,
      Decision decision,
      Collective op,
      OpOptions forced,
      Deadline deadline) {
    Choice choice = decision.choice();
    if (decision.context == null) {
      Optional<String> refusal = Fit.refusal(algorithm, choice, decision.request);
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    // Before anything of it runs: ranks that chose otherwise would wait in other places.
    engine.agree(Facts.head(op, forced), Facts.count(op), deadline);
    Contexts.Context context = decision.context;
    if (context == null) {
      context = contexts.of(algorithm, choice, decision.request, deadline);
      if (context.outcome() instanceof Algorithm.Infeasible(String reason)) {
        return Optional.of(reason);
      }
      decision.context = context;
    }
    context.setup().within(deadline);
    try {
      OpTask task = new OpTask(op, engine.rank(), engine.size(), algorithm.bufferMode());
      ((Algorithm.Ready) context.outcome()).run().run(task);
      task.finish();
    } catch (CommException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) {
      // The others wait for what this rank will never do.
      throw new BackendException("algorithm '%s': %s".formatted(algorithm.name(), e), e);
    }
    lastName = choice.toString();
    own = false;
    return Optional.empty();
  }

  /** What the operation gets; null for what only the engine does. */
  private Decision decide(Collective op) {
    ReduceOp how = Requests.reduceOp(op);
    long bytes = requests.bytes(op);
    if (last != null
        && op.getClass() == lastKind
        && bytes == lastBytes
        && how == lastOp
        && Requests.dtype(op) == lastDtype) {
      return last;
    }
    String collective = Requests.collective(op);
    if (collective == null) {
      return null;
    }
    Request request = request(collective, op);
    if (decisions.size() > MOST_DECISIONS) {
      decisions.clear();
    }
    last = decisions.computeIfAbsent(request, this::decide);
    lastKind = op.getClass();
    lastBytes = bytes;
    lastOp = how;
    lastDtype = request.dtype();
    return last;
  }

  private Decision decide(Request request) {
    LinkedHashSet<Choice> choices = new LinkedHashSet<>();
    for (Selector selector : selectors) {
      selector.select(request).ifPresent(choices::add);
    }
    for (Choice choice : choices) {
      if (!choice.equals(Choice.AUTO)) {
        Fit.requireParameters(
            algorithms.get(request.collective(), choice.algorithm()), choice);
      }
    }
    choices.add(Choice.AUTO);
    return new Decision(request, new ArrayList<>(choices));
  }

  private Request request(String collective, Collective op) {
    return requests.of(collective, requests.bytes(op), Requests.dtype(op), Requests.reduceOp(op));
  }

  @Override
  public void agree(long head, long count, Deadline deadline) {
    engine.agree(head, count, deadline);
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
