package dev.jcomms.jccl.internal;

import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.algo.host.HostEngine;
import dev.jcomms.jccl.internal.algo.host.SoloEngine;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.Lifelines;
import dev.jcomms.jccl.internal.transport.shm.Readable;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.spi.BackendContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

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
  private final Engine engine;

  private Wiring(BackendContext context) {
    if (context.size() == 1) {
      engine = new SoloEngine();
      return;
    }
    Bulletin bulletin = own(new Bulletin(context), Bulletin::clear);
    Roster roster = Roster.meet(context, bulletin);
    List<Integer> host = roster.host(roster.rank());
    String fileName = "jcomms-" + context.environment().getOrDefault("JCOMMS_JOB", "job");
    long stage = stageBytes(host.size());
    HostMemory memory =
        own(
            HostMemory.share(
                roster,
                bulletin,
                "memory",
                fileName,
                Floor.bytes(host.size(), stage),
                context.timeout()),
            HostMemory::close);
    SymmetricMemory symmetric =
        own(new SymmetricMemory(roster, bulletin, fileName), SymmetricMemory::close);
    Lifelines lifelines = new Lifelines(roster, alarm, Duration.ofSeconds(5));
    Floor floor =
        new Floor(memory.segment(), host.indexOf(roster.rank()), host, stage, alarm, lifelines);
    long[] pids =
        memory.shown() == null ? Readable.pids(roster, bulletin, context.timeout()) : null;
    engine = own(new HostEngine(floor, memory, symmetric, pids, lifelines), HostEngine::close);
  }

  /** Opens everything, or nothing. */
  static Wiring of(BackendContext context) {
    return new Wiring(context);
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
