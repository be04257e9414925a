package dev.jcomms.internal;

import dev.jcomms.Batch;
import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommGraph;
import dev.jcomms.CommOptions;
import dev.jcomms.CommTimeoutException;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A communicator: checks, routes and orders operations.
 *
 * <p>What surrounds one operation is {@link Operation}'s; the order is {@link Lane}'s; what ranks
 * must agree on outside operations is {@link Agreement}'s; parts of it are {@link Splitting}'s;
 * whether it can go on is {@link Health}'s; how it ends is {@link Ending}'s; {@link Guard} stands
 * before the backends.
 */
final class Communicator extends ObjectOperations {
  private final Membership self;
  private final String handle;
  private final Routes routes;
  private final Checks checks;
  private final Lane lane;
  private final Watch watch;
  private final FlightRing ring;
  private final Hooks hooks = new Hooks();
  private final Agreement agreement;

  private final Splitting splitting;
  private final Health health;
  private final Ending ending;
  private final Guard guard;
  private volatile OpOptions defaults;
  private final AtomicReference<Capture> capture = new AtomicReference<>();

  Communicator(Membership self, Routes routes, FlightRing ring) {
    this.self = self;
    this.handle = OpenComms.newHandle(self.name());
    this.routes = routes;
    this.ring = ring;
    this.checks = new Checks(self.name(), self.rank(), self.size());
    this.lane = new Lane(self.name() + "-" + self.rank());
    this.watch = new Watch(self.name() + "-" + self.rank());
    this.health = new Health(routes.all(), this::tellAborted);
    this.ending = new Ending(self, routes, lane, watch, health, () -> OpenComms.forget(handle));
    this.guard = new Guard(self, routes, ring, health, ending);
    this.agreement = new Agreement(self, guard::requireAlive, watch, routes);
    this.splitting = new Splitting(this, self, agreement);
    this.defaults = OpOptions.timeout(self.options().timeout());
  }

  @Override
  public void run(Collective op, OpOptions options) {
    guard.requireOpen();
    Operation operation = operation(op, resolve(options));
    if (isRecording()) {
      recording().add(operation.request());
      return;
    }
    long number = lane.tryEnter();
    if (number == Lane.BUSY && checks.isOfOneThread(op)) {
      number = enterLater(op, operation.options().timeoutOr(null), operation::site);
    }
    if (number == Lane.BUSY) {
      QueuedOperation queued = new QueuedOperation(operation);
      awaitQueued(enqueue(queued), queued::refusal);
      return;
    }
    operation.performAlone(number);
  }

  /** Waits for the lane on this thread, the only one that may touch the operation's memory. */
  private long enterLater(Collective op, Duration timeout, Supplier<CommException.Site> site) {
    long deadline = System.nanoTime() + timeout.toNanos();
    long number = Lane.BUSY;
    CommException failure = null;
    while (number == Lane.BUSY && failure == null) {
      guard.requireOpen();
      try {
        if (!lane.awaitFree(deadline - System.nanoTime())) {
          String before = "the operations before it have not ended";
          failure = new CommTimeoutException(timeout, before, Set.of());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = new CommAbortedException("the wait was interrupted", e);
      }
      number = lane.tryEnter();
    }
    if (number == Lane.BUSY) {
      CommException told = failure.at(site.get());
      guard.failed(op, told); // the others wait for it
      throw told;
    }
    return number;
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
      if (!promise.isCompleted()) {
        // Interrupted: the caller is gone and its tensors with it, so it must not go on.
        CommException aborted =
            new CommAbortedException("the thread was interrupted", e.getCause());
        CommException told = promise.site().map(aborted::at).orElse(aborted);
        health.poison(told);
        Health.awaitLast(promise);
        throw told;
      }
      promise.await(); // it may have ended well while the interrupt was on its way
    }
  }

  @Override
  public Work start(Collective op, OpOptions options) {
    guard.requireOpen();
    Operation operation = operation(op, resolve(options));
    if (isRecording()) {
      recording().add(operation.request());
      return recording().work();
    }
    checks.requireShared(op);
    return enqueue(new QueuedOperation(operation));
  }

  @Override
  <T> T run(Turn<T> turn) {
    long number = lane.tryEnter();
    if (number == Lane.BUSY) {
      awaitQueued(enqueue(turn), turn::refusal);
      return turn.value();
    }
    return perform(turn, number);
  }

  /**
   * As {@link #run(Turn)}, but never on another thread.
   *
   * @param op the one of it that only this thread can do
   * @param timeout how long others may have the lane
   */
  <T> T runHere(Turn<T> turn, Collective op, Duration timeout) {
    long number = lane.tryEnter();
    if (number == Lane.BUSY) {
      number = enterLater(op, timeout, () -> site(turn.name(), -1));
    }
    return perform(turn, number);
  }

  private <T> T perform(Turn<T> turn, long number) {
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
    guard.requireOpen();
    if (isRecording()) {
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

  /** A checked operation; the options have a timeout. */
  Operation operation(Collective op, OpOptions options) {
    checks.check(op);
    // First: while nothing else happens, fields of what is new are written without the collector's
    // barriers.
    Routes.Route route = routes.of(op);
    return new Operation(this, route, op, options);
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
    guard.requireOpen();
    if (!lane.enqueue(job)) {
      throw ending.closedError();
    }
    return health.reachable(job.promise());
  }

  /**
   * Does something after all that was called before: in its turn, or now if nothing has turns any
   * more.
   */
  void lastly(Runnable action) {
    Promise done = new Promise(site("close of a graph", -1));
    Lane.Job job =
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
        };
    if (!lane.enqueue(job)) {
      action.run();
    }
  }

  /** Calls users' code that belongs to an operation. */
  void callOut(Runnable code) {
    lane.call(code);
  }

  /** A promise of an operation that is queued. */
  Promise promise(String op, long number) {
    return new Promise(site(op, number), lane::requireOutside);
  }

  Checks checks() {
    return checks;
  }

  Lane lane() {
    return lane;
  }

  Hooks hooks() {
    return hooks;
  }

  /** Whether hooks or events see what is done. */
  boolean isObserved() {
    return Observation.isWanted(hooks);
  }

  FlightRing ring() {
    return ring;
  }

  CommException.Site site(String op, long number) {
    return self.site(op, number);
  }

  Guard guard() {
    return guard;
  }

  Agreement agreement() {
    return agreement;
  }

  Watch watch() {
    return watch;
  }

  private void tellAborted(String reason) {
    hooks.aborted(this, reason);
    guard.dumpFlightRecord();
  }

  /**
   * Does something that all ranks do together in its turn.
   *
   * @param action is given its number
   */
  <T> T inTurn(String name, LongFunction<T> action) {
    return run(new PlainTurn<>(this, name, action));
  }

  /** From now on all fails with this. */
  void poison(CommException failure) {
    health.poison(failure);
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
    guard.requireOpen();
    defaults = OpOptions.timeout(timeout);
  }

  @Override
  public boolean isAborted() {
    return health.poison() != null;
  }

  @Override
  public Batch batch() {
    guard.requireOpen();
    return new CollectedBatch(this);
  }

  @Override
  public Optional<Comm> split(List<Integer> ranks, CommOptions options) {
    guard.requireOpen();
    return splitting.split(ranks, options);
  }

  @Override
  public Optional<Comm> split(int color, int key, CommOptions options) {
    guard.requireOpen();
    return splitting.split(color, key, options);
  }

  @Override
  public CommGraph capture(Runnable operations) {
    guard.requireUsable("capture");
    if (isRecording()) {
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

  /** Whether this thread records what it calls. */
  private boolean isRecording() {
    Capture current = capture.get();
    return current != null && current.isMine();
  }

  /** What it records into. */
  private Capture recording() {
    return capture.get();
  }

  @Override
  public Window newWindow() {
    guard.requireUsable("window");
    return new CheckedWindow(this, routes.first());
  }

  @Override
  public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
    Objects.requireNonNull(dtype, "dtype");
    Objects.requireNonNull(shape, "shape");
    admit("symmetric");
    guard.requireUsable("symmetric");
    return run(new SymmetricTurn(this, routes.first(), dtype, shape, resolve(options)));
  }

  @Override
  public Registration addHook(Hook hook) {
    guard.requireOpen();
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
    ending.requireNotOver();
    guard.abort("abort", reason);
  }

  @Override
  public InitHandle initHandle() {
    guard.requireOpen();
    return self.meetingPoint().handle();
  }

  @Override
  public Comm reconfigure(String uuid, List<InitHandle> handles) {
    guard.requireOpen();
    Membership next = self.reconfigured(uuid, List.copyOf(handles));
    guard.abort("reconfigure", "reconfigured as " + uuid);
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
