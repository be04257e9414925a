package dev.jcomms.tensor;

import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A source of random numbers for operators, made with {@link #Generator(Device)} or taken as a
 * device's default. Any thread may use it; each draw gets numbers that no other draw gets.
 *
 * <p>It is a seed and a count of how much has been drawn: the numbers themselves are a function of
 * both (Philox 4x32 with ten rounds), worked out by the kernel that needs them, in any order. So
 * results do not depend on the number of threads, and saving the state is saving two numbers. The
 * distributions are PyTorch's; the streams are not: one seed gives other numbers here than there.
 */
public final class Generator {
  /** The seed of a generator that was given none, as in PyTorch. */
  public static final long DEFAULT_SEED = 67280421310721L;

  private static final ConcurrentMap<Device, Generator> DEFAULTS = new ConcurrentHashMap<>();

  private final Device device;
  private long seed = DEFAULT_SEED;
  private long drawn;

  /** With {@link #DEFAULT_SEED}. */
  public Generator(Device device) {
    this.device = device;
  }

  /**
   * The one that operators on a device use when they are given none. It begins with a seed of its
   * own in every process.
   */
  public static Generator defaultFor(Device device) {
    return DEFAULTS.computeIfAbsent(
        device,
        d -> {
          Generator generator = new Generator(d);
          generator.seed();
          return generator;
        });
  }

  public Device device() {
    return device;
  }

  /** Begins anew with a seed; returns this generator. */
  public synchronized Generator manualSeed(long seed) {
    this.seed = seed;
    this.drawn = 0;
    return this;
  }

  /** Begins anew with a seed that nobody can foretell, and returns it. */
  public long seed() {
    long fresh = new SecureRandom().nextLong() & Long.MAX_VALUE;
    manualSeed(fresh);
    return fresh;
  }

  /** The seed that it began with. */
  public synchronized long initialSeed() {
    return seed;
  }

  /** Where it stands. */
  public synchronized State state() {
    return new State(seed, drawn);
  }

  /** Goes back, or forth, to where some generator stood; returns this generator. */
  public synchronized Generator restore(State state) {
    this.seed = state.seed();
    this.drawn = state.drawn();
    return this;
  }

  /**
   * For kernels: takes the next {@code blocks} of 128 random bits. The state returned has the seed
   * and the number of the first block.
   */
  public synchronized State draw(long blocks) {
    if (blocks < 0) {
      throw new IllegalArgumentException("draw: blocks=" + blocks + " is negative");
    }
    State first = new State(seed, drawn);
    drawn += blocks;
    return first;
  }

  @Override
  public String toString() {
    return "Generator[device=" + device + " " + state() + "]";
  }

  /**
   * A generator at one moment.
   *
   * @param drawn blocks of 128 bits taken since it was seeded
   */
  public record State(long seed, long drawn) {}
}
