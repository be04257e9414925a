package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.transport.Deadline;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs blocks on the calling thread, round and round, each as far as it goes. One launch at a time.
 */
final class Runner {
  /** Blocks that a message tells of. */
  private static final int TOLD = 4;

  private final int rank;
  private final boolean cores;
  private final Runnable attend;
  private final Pause pause;

  Runner(int rank, boolean cores, Runnable attend) {
    this.rank = rank;
    this.cores = cores;
    this.attend = attend;
    this.pause = pause();
  }

  /** For another who waits. */
  Pause pause() {
    return new Pause(cores, attend);
  }

  void run(Program program, Launch launch, Deadline deadline) {
    pause.begin(deadline, new Stuck(program, launch));
    Block[] blocks = program.blocks();
    boolean through;
    do {
      through = true;
      boolean moved = false;
      for (Block block : blocks) {
        if (!block.isThrough()) {
          moved |= block.advance(launch);
          through &= block.isThrough();
        }
      }
      if (moved) {
        pause.renew();
      } else if (!through) {
        pause.pause();
      }
    } while (!through);
  }

  /** Where the blocks of a launch are. */
  private final class Stuck implements Deadline.Progress {
    private final Program program;
    private final Launch launch;

    Stuck(Program program, Launch launch) {
      this.program = program;
      this.launch = launch;
    }

    @Override
    public Set<Integer> missing() {
      Set<Integer> missing = new TreeSet<>();
      program.stuck().forEach(block -> missing.add(block.awaited(launch).rank()));
      missing.remove(rank);
      return missing;
    }

    @Override
    public String text() {
      StringBuilder text = new StringBuilder("launch " + launch.number() + ", rank " + rank);
      for (Block block : program.stuck().stream().limit(TOLD).toList()) {
        text.append(text.indexOf(" block ") < 0 ? " " : "; ");
        text.append(block.where()).append(": waiting for ").append(block.awaited(launch).what());
      }
      int more = program.stuck().size() - TOLD;
      return text + (more > 0 ? "; and " + more + " more blocks" : "");
    }
  }
}
