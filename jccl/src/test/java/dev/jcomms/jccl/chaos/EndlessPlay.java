package dev.jcomms.jccl.chaos;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One rank that plays random scripts over its worlds, one after the other, until rank 0 has enough
 * or a communicator has failed: then it plays to the end of the script, with what has not failed.
 * One thread.
 */
public final class EndlessPlay implements AutoCloseable {
  private static final int STEPS = 25;

  /** Two mebibytes of the longest elements: several threads have something to do. */
  private static final int LARGEST = 1 << 18;

  /** Hears of each communicator that has failed. */
  public interface Witness {
    /**
     * @param comm its name here, and the ranks of the world that are its members, by rank
     * @param took how long the call took that failed
     */
    void failed(String comm, Duration took, Throwable failure);
  }

  private final long seed;
  private final List<Comm> worlds;
  private final BooleanSupplier enough;
  private final Witness witness;
  private final Set<Integer> failedWorlds = new HashSet<>();
  private final Deque<Player> players = new ArrayDeque<>();
  private int round;

  /**
   * @param seed the same on all ranks
   * @param worlds two of the same ranks
   * @param enough asked on rank 0 alone
   */
  public EndlessPlay(long seed, List<Comm> worlds, BooleanSupplier enough, Witness witness) {
    this.seed = seed;
    this.worlds = worlds;
    this.enough = enough;
    this.witness = witness;
  }

  /** Plays, and tells how many scripts were begun. */
  public int play() {
    while (goesOn()) {
      Comm world = worlds.getFirst();
      Script script = new Script(seed * 1000 + round, world.size(), STEPS);
      Player player = new Player(world.rank(), LARGEST, Trouble.NONE, this::failed);
      players.push(player);
      player.play(script, worlds.subList(0, script.worlds().size()));
      round++;
      if (!player.failures().isEmpty()) {
        break;
      }
      players.pop().closeParts();
    }
    if (!players.isEmpty() || !failedWorlds.isEmpty()) {
      // Every world has the rank that is to blame.
      for (int i = 0; i < worlds.size(); i++) {
        guarded(i, worlds.get(i)::barrier);
      }
    }
    return round;
  }

  private boolean goesOn() {
    Comm world = worlds.getFirst();
    Tensor votes = Tensor.of(world.rank() == 0 && enough.getAsBoolean() ? 1L : 0L);
    return guarded(0, () -> world.allReduce(votes, ReduceOp.SUM)) && votes.getLong(0) == 0;
  }

  private boolean guarded(int world, Runnable call) {
    long start = System.nanoTime();
    try {
      if (!failedWorlds.contains(world)) {
        call.run();
        return true;
      }
    } catch (RuntimeException e) {
      List<Integer> everybody = worlds.get(world).ranks();
      failed(
          new Script.Node(world, true, everybody), Duration.ofNanos(System.nanoTime() - start), e);
    }
    return false;
  }

  private synchronized void failed(Script.Node node, Duration took, Throwable failure) {
    if (node.isWorld()) {
      failedWorlds.add(node.id());
    }
    String name = node.isWorld() ? "world " + node.id() : "part " + node.id() + " in " + round;
    witness.failed(name + " of " + node.ranks(), took, failure);
  }

  /** Closes what was made of the worlds. */
  @Override
  public void close() {
    players.forEach(Player::closeParts);
    players.clear();
  }
}
