package dev.jcomms.jccl.internal.select;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Algorithm.Preparation;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.internal.exec.PreparedPlan;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.plan.Plan;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The preparations of one rank: made once for each algorithm, its launch parameters and the key it
 * decides, and feasible only if all ranks find it so. One thread at a time.
 */
final class Contexts implements AutoCloseable {
  private static final String READY = "ready";

  /** What was prepared; the setup's deadline is that of the operation under way. */
  record Context(RankSetup setup, Preparation outcome) {}

  private record Key(Choice choice, Object key) {}

  private final Resources resources;
  private final Map<String, Map<Key, Context>> made = new HashMap<>();

  /** By identity: the hash of a plan's content takes longer than a small plan does to run. */
  private final Map<Plan, PreparedPlan> plans = new IdentityHashMap<>();

  private int count;

  Contexts(Resources resources) {
    this.resources = resources;
  }

  /** The one for a request. All ranks have agreed on the choice before. Collective if it is new. */
  Context of(Algorithm algorithm, Choice choice, Request request, Deadline deadline) {
    Map<Key, Context> known = made.computeIfAbsent(algorithm.collective(), _ -> new HashMap<>());
    Key key = new Key(choice, algorithm.key(request));
    Context context = known.get(key);
    if (context == null) {
      context = make(algorithm, choice, request, deadline);
      known.put(key, context);
    }
    return context;
  }

  private Context make(Algorithm algorithm, Choice choice, Request request, Deadline deadline) {
    String topic = "algorithm/" + count++;
    RankSetup setup =
        new RankSetup(resources, algorithm, request, choice.parameters(), topic, plans);
    setup.within(deadline);
    Preparation mine;
    try {
      mine = algorithm.prepare(setup);
    } catch (BootstrapException e) {
      setup.close();
      throw new CommTimeoutException(deadline.timeout(), e.detail(), e.missingRanks());
    } catch (BackendException e) {
      if (resources.alarm().isRaised()) {
        setup.close();
        throw e;
      }
      mine = Preparation.infeasible(e.detail()); // memory that cannot be had, say
    } catch (CommException e) {
      setup.close();
      throw e;
    } catch (RuntimeException | LinkageError e) {
      mine = Preparation.infeasible(e.toString());
    }
    setup.prepared();
    Preparation agreed = agree(algorithm, topic, mine, setup);
    if (agreed instanceof Algorithm.Infeasible && mine instanceof Algorithm.Ready ready) {
      ready.close().run();
    }
    return new Context(setup, agreed);
  }

  private Preparation agree(Algorithm algorithm, String topic, Preparation mine, RankSetup setup) {
    String told =
        switch (mine) {
          case Algorithm.Ready _ -> READY;
          case Algorithm.Infeasible(String reason) -> "not " + reason;
        };
    List<String> all;
    try {
      all = resources.bulletin().exchange(topic + ".outcome", told, setup.left());
    } catch (BootstrapException e) {
      throw new CommTimeoutException(
          setup.deadline().timeout(),
          "algorithm '" + algorithm.name() + "' is prepared: " + e.detail(),
          e.missingRanks());
    }
    for (int r = 0; r < all.size(); r++) {
      if (!all.get(r).equals(READY)) {
        return Preparation.infeasible("rank " + r + ": " + all.get(r).substring("not ".length()));
      }
    }
    return mine;
  }

  @Override
  public void close() {
    made.values().stream().flatMap(known -> known.values().stream()).forEach(Contexts::free);
    made.clear();
  }

  private static void free(Context context) {
    try {
      if (context.outcome() instanceof Algorithm.Ready ready) {
        ready.close().run();
      }
    } catch (RuntimeException e) {
      System.getLogger("dev.jcomms.jccl").log(System.Logger.Level.WARNING, "close", e);
    } finally {
      context.setup().close();
    }
  }
}
