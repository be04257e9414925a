package dev.jcomms.jccl.internal;

import dev.jcomms.Setting;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.algo.TwoLevelEngine;
import dev.jcomms.jccl.internal.algo.host.HostEngine;
import dev.jcomms.jccl.internal.algo.host.SoloEngine;
import dev.jcomms.jccl.internal.algo.tcp.TcpEngine;
import dev.jcomms.jccl.internal.mail.Mailroom;
import dev.jcomms.jccl.internal.mail.Means;
import dev.jcomms.jccl.internal.mail.SharedMemory;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.Lifelines;
import dev.jcomms.jccl.internal.transport.shm.Readable;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.jccl.internal.transport.tcp.TcpFabric;
import dev.jcomms.spi.BackendContext;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * What one rank of a communicator is made of, put together when it is opened: memory shared inside
 * the host, sockets between hosts, and the engine over both.
 */
final class Wiring implements AutoCloseable {
  /** Stages of a host's ranks together, at most; each no longer than its share and this. */
  private static final long STAGES_BYTES = Long.getLong("jcomms.stages", 8 << 20);

  private static final long LONGEST_STAGE = Long.getLong("jcomms.stage", 512 << 10);
  private static final long SHORTEST_STAGE = 64 << 10;

  private final Alarm alarm = new Alarm();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private Engine engine;
  private Mailroom mail;

  private Wiring() {}

  private void connect(BackendContext context) {
    if (context.size() == 1) {
      engine = new SoloEngine();
      return;
    }
    Bulletin bulletin = own(new Bulletin(context), Bulletin::clear);
    Roster roster = Roster.meet(context, bulletin);
    List<List<Integer>> hosts = roster.hosts();
    List<Integer> host = roster.host(roster.rank());
    Duration heartbeat = Setting.HEARTBEAT_SECONDS.secondsIn(context.environment());
    Lifelines lifelines = new Lifelines(roster, alarm, heartbeat);
    TcpFabric fabric =
        TcpFabric.isNeeded(roster)
            ? own(TcpFabric.open(context, roster, bulletin, alarm), TcpFabric::close)
            : null;
    MemorySegment rings = null;
    Engine inside = null;
    if (host.size() > 1) {
      long floorBytes = Floor.bytes(host.size(), stageBytes(host.size()));
      String fileName = "jcomms-" + context.environment().getOrDefault("JCOMMS_JOB", "job");
      HostMemory memory =
          own(
              HostMemory.share(
                  roster,
                  bulletin,
                  "memory",
                  fileName,
                  floorBytes + Mailroom.ringBytes(host.size()),
                  context.timeout()),
              HostMemory::close);
      rings = memory.segment().asSlice(floorBytes);
      inside = insideHost(context, roster, bulletin, memory, fileName, lifelines);
    }
    engine = own(engine(roster, hosts, inside, fabric), Engine::close);
    String key =
        bulletin.exchange("key", roster.rank() == 0 ? UUID.randomUUID().toString() : "").getFirst();
    IntFunction<SocketChannel> sockets = fabric == null ? _ -> null : fabric::mail;
    mail =
        own(
            Mailroom.open(
                context,
                roster,
                alarm,
                new Means(rings, key, sockets, heartbeat, lifelines, SharedMemory.NONE)),
            Mailroom::close);
  }

  /** Among the ranks of this host. */
  private Engine insideHost(
      BackendContext context,
      Roster roster,
      Bulletin bulletin,
      HostMemory memory,
      String fileName,
      Lifelines lifelines) {
    List<Integer> host = roster.host(roster.rank());
    SymmetricMemory symmetric =
        own(new SymmetricMemory(roster, bulletin, fileName), SymmetricMemory::close);
    Floor floor =
        new Floor(
            memory.segment(),
            host.indexOf(roster.rank()),
            host,
            stageBytes(host.size()),
            alarm,
            lifelines);
    long[] pids =
        memory.shown() == null ? Readable.pids(roster, bulletin, context.timeout()) : null;
    return new HostEngine(floor, memory, symmetric, pids, lifelines);
  }

  /** Among all ranks: inside one host, between hosts of one rank each, or both in turn. */
  private static Engine engine(
      Roster roster, List<List<Integer>> hosts, Engine inside, TcpFabric fabric) {
    if (fabric == null) {
      return inside;
    }
    List<Integer> all = IntStream.range(0, roster.size()).boxed().toList();
    Engine flat = new TcpEngine(fabric.lines(0, all));
    if (hosts.size() == roster.size()) {
      return flat;
    }
    List<Integer> leaders = hosts.stream().map(List::getFirst).toList();
    Engine between =
        leaders.contains(roster.rank()) ? new TcpEngine(fabric.lines(1, leaders)) : null;
    Engine within = inside == null ? new SoloEngine() : inside;
    return new TwoLevelEngine(hosts, roster.rank(), within, between, flat);
  }

  /** Opens everything, or nothing. */
  static Wiring of(BackendContext context) {
    Wiring wiring = new Wiring();
    try {
      wiring.connect(context);
      return wiring;
    } catch (RuntimeException | Error e) {
      wiring.close();
      throw e;
    }
  }

  private static long stageBytes(int ranks) {
    long share = Long.highestOneBit(STAGES_BYTES / (2L * ranks));
    return Math.clamp(share, SHORTEST_STAGE, LONGEST_STAGE);
  }

  private <T> T own(T part, java.util.function.Consumer<T> close) {
    opened.push(() -> close.accept(part));
    return part;
  }

  Engine engine() {
    return engine;
  }

  /** Null for a rank that is alone. */
  Mailroom mail() {
    return mail;
  }

  Alarm alarm() {
    return alarm;
  }

  /** Closes what was opened, the last first. */
  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        System.getLogger("dev.jcomms.jccl").log(System.Logger.Level.WARNING, "close", e);
      }
    }
  }
}
