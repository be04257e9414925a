package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.Batch;
import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommGraph;
import dev.jcomms.CommOptions;
import dev.jcomms.Feature;
import dev.jcomms.FlightRecorder;
import dev.jcomms.Hook;
import dev.jcomms.InitHandle;
import dev.jcomms.OpOptions;
import dev.jcomms.Registration;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.internal.observe.FlightRing;
import dev.jcomms.spi.Promise;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A communicator: checks, routes and orders operations.
 *
 * <p>What surrounds one operation is {@link Operation}'s; the order is {@link Lane}'s; what ranks
 * must agree on outside operations is {@link Agreement}'s; parts of it are {@link Splitting}'s;
 * whether it can go on is {@link Health}'s; how it ends is {@link Ending}'s.
 */
final class Communicator extends ObjectOperations {
  private final Membership self;
  private final String handle;
  private final Routes routes;
  private final Checks checks;
  private final Lane lane;
  private final FlightRing ring;
  private final Hooks hooks = new Hooks();
  private final Agreement agreement;

  private final Splitting splitting;
  private final Health health;
  private final Ending ending;
  private volatile OpOptions defaults;
  private final AtomicReference<Capture> capture = new AtomicReference<>();

  Communicator(Membership self, Routes routes, FlightRing ring) {
    this.self = self;
    this.handle = OpenComms.newHandle(self.name());
    this.routes = routes;
    this.ring = ring;
    this.checks = new Checks(self.name(), self.rank(), self.size());
    this.lane = new Lane(self.name() + "-" + self.rank());
    this.agreement = new Agreement(self, this::requireAlive, routes::departed);
    this.health = new Health(routes.all(), this::tellAborted);
    this.splitting = new Splitting(self, agreement, health, () -> requireAlive("split"));
    this.ending = new Ending(self, routes, lane, health, () -> OpenComms.forget(handle));
    this.defaults = OpOptions.timeout(self.options().timeout());
  }

  @Override
  public void run(Collective op, OpOptions options) {
    Operation operation = prepare(op, options);
    Capture recording = recording();
    if (recording != null) {
      recording.add(operation);
      return;
    }
    long number = lane.tryEnter();
    if (number != Lane.BUSY) {
      try {
        operation.perform(number);
      } finally {
        lane.leave();
      }
    } else {
      awaitQueued(enqueue(operation), operation::refusal);
    }
  }

  /**
   * A blocking call that had to queue ends as one that had not: refused, failed or interrupted.
   *
   * @param refusal why it was refused, once it was; null if it was not
   */
  private void awaitQueued(Promise promise, Supplier<RuntimeException> refusal) {
    try {
      promise.await();
    } catch (CommException e) {
      if (refusal.get() != null) {
        throw refusal.get();
      }
      if (Thread.currentThread().isInterrupted() && !promise.isCompleted()) {
        // The caller is gone and its tensors with it: the operation must not go on.
        health.poison(e);
      }
      throw e;
    }
  }

  @Override
  public Work start(Collective op, OpOptions options) {
    Operation operation = prepare(op, options);
    Capture recording = recording();
    if (recording != null) {
      recording.add(operation);
      return recording.work();
    }
    return enqueue(operation);
  }

  @Override
  <T> T run(Turn<T> turn) {
    long number = lane.tryEnter();
    if (number == Lane.BUSY) {
      awaitQueued(enqueue(turn), turn::refusal);
      return turn.value();
    }
    Supplier<T> value;
    try {
      value = turn.perform(number);
    } finally {
      lane.leave();
    }
    return value.get();
  }

  @Override
  <T> CompletableFuture<T> start(Turn<T> turn) {
    enqueue(turn);
    return turn.future();
  }

  @Override
  void admit(String name) {
    requireOpen();
    if (recording() != null) {
      throw new IllegalStateException(
          "comm '%s': %s inside a capture; only operations on tensors can be recorded"
              .formatted(self.name(), name));
    }
  }

  @Override
  <T> ObjectTurn<T> turn(
      String name, OpOptions options, Collective first, ObjectTurn.Steps<T> rest) {
    return new ObjectTurn<>(this, name, operation(first, resolve(options)), rest);
  }

  @Override
  void check(Collective op) {
    checks.check(op);
    routes.of(op);
  }

  private Operation prepare(Collective op, OpOptions options) {
    requireOpen();
    return operation(op, resolve(options));
  }

  /** A checked operation; the options have a timeout. */
  Operation operation(Collective op, OpOptions options) {
    checks.check(op);
    return new Operation(this, routes.of(op), op, options);
  }

  /** An operation's options with a timeout in any case. */
  OpOptions resolve(OpOptions options) {
    if (options == OpOptions.DEFAULT) {
      return defaults;
    }
    return options.timeout().isPresent()
        ? options
        : options.withTimeout(defaults.timeout().orElseThrow());
  }

  /** Queues a job; from now on an abort reaches whoever waits for it. */
  Promise enqueue(Lane.Job job) {
    requireOpen();
    lane.enqueue(job);
    return health.reachable(job.promise());
  }

  /**
   * Work of a backend that goes on by itself, as core gives it to users: it has a deadline, an
   * abort ends it, and a failure that leaves ranks out of step poisons.
   */
  Promise track(Work work, Duration timeout, CommException.Site site) {
    Promise promise = new Promise(site);
    promise.start();
    Following.follow(
        work,
        timeout,
        failure -> {
          if (failure == null) {
            promise.complete();
          } else {
            promise.fail(failure);
            promise.failure().ifPresent(this::failed);
          }
        });
    return health.reachable(promise);
  }

  /**
   * Does something after all that was called before: in its turn, or now if nothing has turns any
   * more.
   */
  void lastly(Runnable action) {
    if (ending.hasBegun()) {
      action.run();
      return;
    }
    Promise done = new Promise(site("close of a graph", -1));
    lane.enqueue(
        new Lane.Job() {
          @Override
          public void numbered(long number) {}

          @Override
          public Runnable run() {
            action.run();
            return done::complete;
          }

          @Override
          public Promise promise() {
            return done;
          }
        });
  }

  Checks checks() {
    return checks;
  }

  Hooks hooks() {
    return hooks;
  }

  FlightRing ring() {
    return ring;
  }

  Membership membership() {
    return self;
  }

  CommException.Site site(String op, long number) {
    return self.site(op, number);
  }

  boolean wakes() {
    return health.waker() != null;
  }

  Agreement agreement() {
    return agreement;
  }

  /** A failure of something one-sided: a window's, say, whose ranks keep no step. */
  void failed(CommException failure) {
    failed(null, failure);
  }

  /**
   * A failure that leaves the ranks out of step poisons; a refusal, or a barrier that only tells,
   * does not.
   */
  void failed(Collective op, CommException failure) {
    if (Health.isOutOfStep(op, failure, self.size())) {
      health.poison(failure);
    }
    if (self.options().abortProcessOnError()) {
      dumpFlightRecord();
      LastWords.exit(failure);
    }
  }

  private void tellAborted(String reason) {
    hooks.aborted(this, reason);
    dumpFlightRecord();
  }

  private void dumpFlightRecord() {
    self.flightFolder().ifPresent(folder -> LastWords.dump(ring, folder, self));
  }

  /** From now on all fails with this. */
  void poison(CommException failure) {
    health.poison(failure);
  }

  /**
   * Calls a backend beside {@code submit}: refusals pass as they are, failures get their site and
   * do what they have to.
   */
  <T> T sited(String what, long number, Supplier<T> call) {
    try {
      return call.get();
    } catch (CommException e) {
      CommException told = e.comm() == null ? e.at(site(what, number)) : e;
      failed(told);
      throw told;
    } catch (IllegalArgumentException | UnsupportedOperationException refusal) {
      throw refusal;
    } catch (RuntimeException e) {
      throw new BackendException(e.toString(), e).at(site(what, number));
    }
  }

  /** Calls a backend where an abort can wake this thread. */
  <T> T wakeable(String what, long number, Supplier<T> call) {
    Waker waker = health.waker();
    if (waker == null) {
      return call.get();
    }
    waker.enter();
    try {
      // An abort that came before this thread had entered has woken nobody.
      requireHealthy(what, number);
      return call.get();
    } finally {
      if (waker.leave()) {
        // Whatever the interrupt made of it, the abort is what happened.
        requireHealthy(what, number);
      }
    }
  }

  /** Refuses an operation on a communicator that has failed before. */
  void requireHealthy(Collective op, long number) {
    // A name takes longer to look up than all else here.
    if (health.poison() != null) {
      requireHealthy(op.opName(), number);
    }
    ending.requireNotShut();
  }

  void requireHealthy(String op, long number) {
    CommException failure = health.poison();
    if (failure != null) {
      throw failure.forLater(site(op, number));
    }
    ending.requireNotShut();
  }

  /** Refuses to go on also after a failure that no operation has met yet. */
  private void requireAlive(String what) {
    requireHealthy(what, -1);
    for (Routes.Route route : routes.all()) {
      sited(
          what,
          -1,
          () -> {
            route.backend().requireAlive();
            return null;
          });
    }
  }

  private void requireOpen() {
    ending.requireNotBegun();
  }

  void requireUsable(String what) {
    requireOpen();
    requireHealthy(what, -1);
  }

  @Override
  public int rank() {
    return self.rank();
  }

  @Override
  public int size() {
    return self.size();
  }

  @Override
  public List<Integer> ranks() {
    return self.ranks();
  }

  @Override
  public String name() {
    return self.name();
  }

  @Override
  public String handle() {
    return handle;
  }

  @Override
  public Device device() {
    return self.device();
  }

  @Override
  public BackendInfo backend() {
    return routes.first().info();
  }

  @Override
  public Map<String, BackendInfo> backends() {
    return routes.infos();
  }

  @Override
  public CommOptions options() {
    return self.options().withTimeout(defaults.timeout().orElseThrow());
  }

  @Override
  public void timeout(Duration timeout) {
    requireOpen();
    defaults = OpOptions.timeout(timeout);
  }

  @Override
  public boolean isAborted() {
    return health.poison() != null;
  }

  @Override
  public Batch batch() {
    requireOpen();
    return new CollectedBatch(this);
  }

  @Override
  public Optional<Comm> split(List<Integer> ranks, CommOptions options) {
    requireOpen();
    return splitting.split(ranks, options);
  }

  @Override
  public Optional<Comm> split(int color, int key, CommOptions options) {
    requireOpen();
    return splitting.split(color, key, options);
  }

  @Override
  public CommGraph capture(Runnable operations) {
    requireUsable("capture");
    if (recording() != null) {
      throw new IllegalStateException("comm '" + self.name() + "': capture inside a capture");
    }
    Capture recording = new Capture(this);
    if (!capture.compareAndSet(null, recording)) {
      throw new IllegalStateException(
          "comm '" + self.name() + "': another thread is capturing; one capture at a time");
    }
    try {
      operations.run();
    } finally {
      capture.set(null);
    }
    return recording.graph();
  }

  private Capture recording() {
    Capture current = capture.get();
    return current != null && current.isMine() ? current : null;
  }

  @Override
  public Window newWindow() {
    requireUsable("window");
    return new CheckedWindow(this, routes.first());
  }

  @Override
  public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
    Objects.requireNonNull(dtype, "dtype");
    Objects.requireNonNull(shape, "shape");
    admit("symmetric");
    requireUsable("symmetric");
    return run(new SymmetricTurn(this, routes.first(), dtype, shape, resolve(options)));
  }

  @Override
  public Registration addHook(Hook hook) {
    requireOpen();
    return hooks.add(hook);
  }

  @Override
  public FlightRecorder flightRecorder() {
    return ring;
  }

  @Override
  public boolean has(Feature feature) {
    return FeatureGate.has(routes.first().provider(), feature);
  }

  @Override
  public void require(Feature feature) {
    FeatureGate.require(routes.first().provider(), feature);
  }

  @Override
  public void abort(String reason) {
    requireOpen();
    health.poison(new CommAbortedException(reason).at(site("abort", -1)));
  }

  @Override
  public InitHandle initHandle() {
    requireOpen();
    return self.meetingPoint().handle();
  }

  @Override
  public Comm reconfigure(String uuid, List<InitHandle> handles) {
    requireOpen();
    Membership next = self.reconfigured(uuid, List.copyOf(handles));
    health.poison(new CommAbortedException("reconfigured as " + uuid).at(site("reconfigure", -1)));
    Comm comm = CommFactory.open(next);
    // Only now: after an attempt that failed, another is made from here.
    ending.handOver(next);
    return comm;
  }

  @Override
  public void close() {
    ending.close(defaults.timeout().orElseThrow());
  }

  @Override
  public String toString() {
    return "Comm["
        + self.name()
        + ", rank "
        + self.rank()
        + " of "
        + self.size()
        + ", "
        + backend()
        + "]";
  }
}
