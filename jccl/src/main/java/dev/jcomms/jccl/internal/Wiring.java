package dev.jcomms.jccl.internal;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.Setting;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.algo.TwoLevelEngine;
import dev.jcomms.jccl.internal.algo.host.Crew;
import dev.jcomms.jccl.internal.algo.host.HostEngine;
import dev.jcomms.jccl.internal.algo.host.SoloEngine;
import dev.jcomms.jccl.internal.algo.tcp.TcpEngine;
import dev.jcomms.jccl.internal.exec.Executor;
import dev.jcomms.jccl.internal.mail.Mailroom;
import dev.jcomms.jccl.internal.mail.Means;
import dev.jcomms.jccl.internal.mail.SharedMemory;
import dev.jcomms.jccl.internal.select.Resources;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Losses;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.Lifelines;
import dev.jcomms.jccl.internal.transport.shm.Sight;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.jccl.internal.transport.tcp.TcpFabric;
import dev.jcomms.spi.BackendContext;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What one rank of a communicator is made of, put together when it is opened: memory shared inside
 * the host, sockets between hosts, and the engine over both.
 */
final class Wiring implements AutoCloseable {
  /** Stages of a host's ranks together, at most; each no longer than its share and this. */
  private static final long STAGES_BYTES = 8 << 20;

  private static final long LONGEST_STAGE = 512 << 10;
  private static final long SHORTEST_STAGE = 64 << 10;

  /** What every rank of a host has in a stage at least: two sizes, and a cache line of bytes. */
  private static final long SHORTEST_LANE = 2 * 8 + 64;

  private final Alarm alarm;
  private final Aside aside = new Aside();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private Roster roster;
  private Floor floor;
  private Engine engine;
  private Mailroom mail;
  private SymmetricMemory symmetric;
  private Executor executor;
  private Resources resources;

  private Wiring(int rank) {
    this.alarm = new Alarm(rank);
  }

  private void connect(BackendContext context, boolean tuned) {
    Bulletin bulletin = new Bulletin(context, alarm);
    roster = Roster.meet(context, tuned, bulletin);
    int threads = Crew.size(context.hints().get("host.threads"), roster.ranksHere());
    String job = context.environment().getOrDefault("JCOMMS_JOB", "job");
    String fileName = "jcomms-" + job.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + roster.id();
    symmetric = own(new SymmetricMemory(roster, bulletin, fileName), SymmetricMemory::close);
    Duration heartbeat = Setting.HEARTBEAT_SECONDS.secondsIn(context.environment());
    Lifelines lifelines = new Lifelines(roster, alarm, heartbeat);
    alarm.watch(lifelines);
    TcpFabric fabric =
        TcpFabric.isNeeded(roster)
            ? own(TcpFabric.open(context, roster, bulletin, alarm, aside), TcpFabric::close)
            : null;
    int neighbours = roster.host(roster.rank()).size();
    MemorySegment rings = null;
    Engine inside = new SoloEngine();
    if (neighbours > 1) {
      long floorBytes = Floor.bytes(neighbours, stageBytes(neighbours));
      long bytes = floorBytes + Mailroom.ringBytes(neighbours);
      HostMemory memory =
          own(
              HostMemory.share(roster, bulletin, "memory", fileName, bytes, context.timeout()),
              this::letGo);
      rings = memory.segment().asSlice(floorBytes);
      Sight sight =
          own(
              memory.shown() == null ? Sight.of(roster, bulletin, context.timeout()) : Sight.none(),
              Sight::close);
      floor = floor(roster, memory, lifelines);
      lifelines.heed(floor);
      inside = new HostEngine(floor, memory, symmetric, sight, lifelines::lookNow, threads);
    }
    if (!roster.oneHost()) {
      // As the ranks of a host have met already: what one host cannot open, no other has.
      bulletin.exchange("connected", "");
    }
    engine = own(engine(roster, inside, fabric), Engine::close);
    // Closed after the mail, which writes into its memory.
    own(this, Wiring::closeExecutor);
    mail =
        own(
            Mailroom.open(
                context,
                roster,
                alarm,
                new Means(
                    rings,
                    roster.id() + "/" + roster.host(roster.rank()).getFirst(),
                    fabric == null ? _ -> null : fabric::mail,
                    heartbeat,
                    fabric == null ? (_, _) -> {} : fabric::call,
                    lifelines,
                    shared())),
            Mailroom::close);
    bulletin.excuse(this::left);
    if (fabric != null) {
      fabric.excuse(this::left, this::givenUp);
    }
    if (fabric != null) {
      String name = "jccl-losses-" + context.comm() + "-" + context.rank();
      own(new Losses(name, roster, alarm, view(fabric, lifelines)), Losses::close);
    }
    executor = new Executor(roster, bulletin, symmetric, mail, alarm, floor, fileName, this::look);
    resources =
        new Resources(
            roster, bulletin, engine, symmetric, mail, executor, alarm, fileName, this::look);
  }

  private void closeExecutor() {
    if (executor != null) {
      executor.close();
    }
  }

  /** What is known of other ranks, of this host and elsewhere. */
  private Losses.View view(TcpFabric fabric, Lifelines lifelines) {
    return new Losses.View() {
      @Override
      public boolean together(int one, int other) {
        return fabric.shareAddress(one, other);
      }

      @Override
      public boolean takesPart(int peer) {
        return left(peer) == null;
      }

      @Override
      public boolean isWell(int peer) {
        return roster.to(peer) == Roster.Transport.TCP ? mail.hears(peer) : lifelines.lives(peer);
      }

      @Override
      public void call(int peer, Runnable answered) {
        fabric.call(answered, peer);
      }
    };
  }

  /** Windows over symmetric memory reach it as collectives do. */
  private SharedMemory shared() {
    return new SharedMemory() {
      @Override
      public long describe(MemorySegment segment) {
        return symmetric.describe(segment);
      }

      @Override
      public MemorySegment resolve(int rank, long description, long bytes) {
        return symmetric.resolve(description, bytes);
      }
    };
  }

  /**
   * Memory that a thread is in stays for as long as the process: it was told to end, and did not.
   */
  private void letGo(HostMemory memory) {
    if (floor == null || floor.close()) {
      memory.close();
    }
  }

  private Floor floor(Roster roster, HostMemory memory, Lifelines lifelines) {
    List<Integer> host = roster.host(roster.rank());
    int place = host.indexOf(roster.rank());
    return new Floor(
        memory.segment(), place, host, stageBytes(host.size()), alarm, aside, lifelines);
  }

  /** Among all ranks: inside one host, between hosts of one rank each, or both in turn. */
  private static Engine engine(Roster roster, Engine inside, TcpFabric fabric) {
    if (fabric == null) {
      return inside;
    }
    List<List<Integer>> hosts = roster.hosts();
    List<Integer> all = IntStream.range(0, roster.size()).boxed().toList();
    Engine flat = new TcpEngine(fabric, 0, all);
    if (hosts.size() == roster.size()) {
      return flat;
    }
    List<Integer> leaders = hosts.stream().map(List::getFirst).toList();
    Engine between = leaders.contains(roster.rank()) ? new TcpEngine(fabric, 1, leaders) : null;
    return new TwoLevelEngine(hosts, roster.rank(), inside, between, flat, fabric.rollCall());
  }

  /**
   * Opens everything, or nothing.
   *
   * @param tuned whether this rank was given a tuning table
   */
  static Wiring of(BackendContext context, boolean tuned) {
    Wiring wiring = new Wiring(context.rank());
    try {
      wiring.connect(context, tuned);
      return wiring;
    } catch (RuntimeException | Error e) {
      wiring.close();
      throw e;
    }
  }

  static long stageBytes(int ranks) {
    long share = Long.highestOneBit(STAGES_BYTES / (2L * ranks));
    long lanes = 2 * Long.highestOneBit(ranks * SHORTEST_LANE);
    return Math.max(lanes, Math.clamp(share, SHORTEST_STAGE, LONGEST_STAGE));
  }

  private <T> T own(T part, java.util.function.Consumer<T> close) {
    opened.push(() -> close.accept(part));
    return part;
  }

  /** Takes an engine over it to be closed before all else. */
  Engine own(Engine over) {
    return own(over, Engine::close);
  }

  Engine engine() {
    return engine;
  }

  Mailroom mail() {
    return mail;
  }

  SymmetricMemory symmetric() {
    return symmetric;
  }

  Executor executor() {
    return executor;
  }

  /** Ranks that have closed the communicator, as far as is known here. */
  Set<Integer> departed() {
    Set<Integer> left =
        IntStream.range(0, roster.size())
            .filter(peer -> left(peer) instanceof PeerLostException)
            .boxed()
            .collect(Collectors.toSet());
    // In this order: who is lost has left, too, once the alarm is raised.
    return alarm.isRaised() ? Set.of() : left;
  }

  /**
   * Why a rank takes part no more, as far as is known here; null while it does. Of the host's own
   * ranks the floor knows: mail of theirs may lie unread.
   */
  private CommException left(int peer) {
    if (peer == roster.rank()) {
      return null;
    }
    boolean near = roster.host(roster.rank()).contains(peer);
    return near ? floor.standings().left(peer) : mail == null ? null : mail.left(peer);
  }

  /**
   * Raises the alarm if there is any failure, also if a rank has given up waiting for another: for
   * who needs all ranks.
   */
  void look() {
    alarm.look();
    CommException givenUp = givenUp();
    if (givenUp != null) {
      alarm.raise(givenUp);
    }
  }

  /** Why a rank has given up waiting for another; null if none has. */
  private CommException givenUp() {
    for (int peer = 0; peer < roster.size(); peer++) {
      CommException left = left(peer);
      if (left != null && !(left instanceof PeerLostException)) {
        return left;
      }
    }
    return null;
  }

  Alarm alarm() {
    return alarm;
  }

  /** What this rank does with the others that is no operation. */
  Aside aside() {
    return aside;
  }

  /** What algorithms have to work with that are not the engine's own. */
  Resources resources() {
    return resources;
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
