package dev.jcomms.internal;

import dev.jcomms.Batch;
import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommGraph;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommOptions;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.Feature;
import dev.jcomms.FlightRecorder;
import dev.jcomms.Hook;
import dev.jcomms.InitHandle;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.Registration;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.internal.observe.FlightRing;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Promise;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A communicator: checks, routes and orders operations, and knows whether it is open, poisoned or
 * closed.
 *
 * <p>What surrounds one operation is {@link Operation}'s; the order is {@link Lane}'s; what ranks
 * must agree on outside operations is {@link Agreement}'s.
 */
final class Communicator implements Comm {
  private final Membership self;
  private final Routes routes;
  private final Checks checks;
  private final Lane lane;
  private final FlightRing ring;
  private final Hooks hooks = new Hooks();
  private final Agreement agreement;
  private final Set<Promise> pending = ConcurrentHashMap.newKeySet();
  private final AtomicReference<CommException> poison = new AtomicReference<>();
  private final AtomicReference<Thread> closer = new AtomicReference<>();
  private volatile OpOptions defaults;
  private volatile Capture capture;
  private volatile boolean closed;

  Communicator(Membership self, Routes routes, FlightRing ring) {
    this.self = self;
    this.routes = routes;
    this.ring = ring;
    this.checks = new Checks(self.name(), self.rank(), self.size());
    this.lane = new Lane(self.name() + "-" + self.rank());
    this.agreement = new Agreement(self);
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
      Promise promise = enqueue(operation);
      lane.helpUntilDone(operation);
      promise.await();
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

  private Operation prepare(Collective op, OpOptions options) {
    requireOpen();
    checks.check(op);
    Routes.Route route = routes.of(op);
    return new Operation(this, route, op, resolve(options));
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
    Promise promise = job.promise();
    pending.add(promise);
    promise.onEnd(() -> pending.remove(promise));
    CommException failure = poison.get();
    if (failure != null) {
      promise.fail(failure.again());
    }
    return promise;
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
    return new CommException.Site(self.name(), op, number, self.rank(), self.size());
  }

  Agreement agreement() {
    return agreement;
  }

  /**
   * A failure that leaves the ranks out of step poisons; a refusal, or a barrier that only tells,
   * does not.
   */
  void failed(Collective op, CommException failure) {
    boolean outOfStep =
        switch (failure) {
          case PeerLostException _, CommMismatchException _, CommAbortedException _ -> true;
          case CommTimeoutException _ -> !(op instanceof Collective.MonitoredBarrier);
          default -> false;
        };
    if (outOfStep) {
      poison(failure);
    }
    if (self.options().abortProcessOnError()) {
      dumpFlightRecord();
      LastWords.exit(failure);
    }
  }

  private void poison(CommException failure) {
    if (!poison.compareAndSet(null, failure)) {
      return;
    }
    dumpFlightRecord();
    String reason =
        failure instanceof CommAbortedException aborted ? aborted.reason() : failure.getMessage();
    for (Routes.Route route : routes.all()) {
      if (route.backend() instanceof AbortableBackend abortable) {
        abortable.abort(reason);
      }
    }
    for (Promise promise : pending) {
      promise.fail(failure.again());
    }
    boolean wakesItself =
        routes.all().stream().allMatch(r -> r.backend() instanceof AbortableBackend);
    Thread occupant = lane.occupant();
    if (!wakesItself && occupant != null && occupant != Thread.currentThread()) {
      occupant.interrupt();
    }
    hooks.aborted(this, reason);
  }

  private void dumpFlightRecord() {
    self.flightFolder().ifPresent(folder -> LastWords.dump(ring, folder, self));
  }

  /** Refuses an operation on a communicator that has failed before. */
  void requireHealthy(String op, long number) {
    CommException failure = poison.get();
    if (failure != null) {
      throw failure.at(site(op, number));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "comm '" + self.name() + "' is closed (rank " + self.rank() + " of " + self.size() + ")");
    }
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
    return poison.get() != null;
  }

  @Override
  public Batch batch() {
    requireOpen();
    return new CollectedBatch(this);
  }

  @Override
  public Optional<Comm> split(List<Integer> ranks, CommOptions options) {
    requireUsable("split");
    return agreement.split(List.copyOf(ranks)).map(group -> openPart(group, options));
  }

  @Override
  public Optional<Comm> split(int color, int key) {
    requireUsable("split");
    return agreement.split(color, key).map(group -> openPart(group, options().unnamed()));
  }

  private Comm openPart(Agreement.Group group, CommOptions options) {
    return CommFactory.open(self.part(group, options));
  }

  @Override
  public CommGraph capture(Runnable operations) {
    requireUsable("capture");
    if (recording() != null) {
      throw new IllegalStateException("comm '" + self.name() + "': capture inside a capture");
    }
    Capture recording = new Capture(this);
    capture = recording;
    try {
      operations.run();
    } finally {
      capture = null;
    }
    return recording.graph();
  }

  private Capture recording() {
    Capture current = capture;
    return current != null && current.isMine() ? current : null;
  }

  @Override
  public Window newWindow() {
    requireUsable("window");
    return new CheckedWindow(this, routes.first());
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
    poison(new CommAbortedException(reason).at(site("abort", -1)));
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
    poison(new CommAbortedException("reconfigured as " + uuid).at(site("reconfigure", -1)));
    Comm comm = CommFactory.open(next);
    // Only now: after an attempt that failed, another is made from here.
    shut();
    self.handOver(next);
    return comm;
  }

  @Override
  public void close() {
    if (closed || !closer.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    if (lane.occupant() == Thread.currentThread()) {
      closer.set(null);
      throw new IllegalStateException("comm '" + self.name() + "': close from inside an operation");
    }
    drain();
    shut();
    self.leave(poison.get() != null);
  }

  private void drain() {
    if (poison.get() != null) {
      return;
    }
    Duration timeout = defaults.timeout().orElseThrow();
    try {
      if (!lane.awaitIdle(timeout.toNanos())) {
        abort("close: pending work did not end within " + timeout.toSeconds() + " s");
        return;
      }
      for (Promise promise : pending) {
        promise.await(timeout);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abort("close was interrupted");
    } catch (CommException e) {
      // The work's own failure is told by the work; closing goes on.
    }
  }

  private void shut() {
    closed = true;
    for (Routes.Route route : routes.all()) {
      try {
        route.backend().close();
      } catch (RuntimeException e) {
        LastWords.warn(
            "backend '" + route.name() + "' of comm '" + self.name() + "' failed to close", e);
      }
    }
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
