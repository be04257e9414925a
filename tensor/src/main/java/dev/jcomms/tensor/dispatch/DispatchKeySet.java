package dev.jcomms.tensor.dispatch;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of runtime keys, as one word. Immutable; any thread may use it.
 *
 * @param bits one bit a key, by ordinal
 */
public record DispatchKeySet(long bits) {
  public static final DispatchKeySet EMPTY = new DispatchKeySet(0);

  /** The autograd keys of all backends. */
  public static final DispatchKeySet AUTOGRADS;

  static {
    long bits = 0;
    for (DispatchKey key : DispatchKey.values()) {
      bits |= key.isAutograd() ? 1L << key.ordinal() : 0;
    }
    AUTOGRADS = new DispatchKeySet(bits);
  }

  /**
   * @throws IllegalArgumentException if a bit stands for no runtime key
   */
  public DispatchKeySet {
    if ((bits & ~Keys.RUNTIME) != 0) {
      throw new IllegalArgumentException(
          "bits=0x" + Long.toHexString(bits) + " name keys that no tensor carries");
    }
  }

  public static DispatchKeySet of(DispatchKey... keys) {
    long bits = 0;
    for (DispatchKey key : keys) {
      if (!key.isRuntime()) {
        throw new IllegalArgumentException(key + " is an alias, which no set can hold");
      }
      bits |= 1L << key.ordinal();
    }
    return new DispatchKeySet(bits);
  }

  public boolean has(DispatchKey key) {
    return key.isRuntime() && (bits & 1L << key.ordinal()) != 0;
  }

  public boolean isEmpty() {
    return bits == 0;
  }

  public DispatchKeySet or(DispatchKeySet other) {
    return new DispatchKeySet(bits | other.bits);
  }

  public DispatchKeySet without(DispatchKeySet other) {
    return new DispatchKeySet(bits & ~other.bits);
  }

  /** The key that is served first. */
  public DispatchKey highest() {
    if (bits == 0) {
      throw new IllegalStateException("an empty key set has no highest key");
    }
    return DispatchKey.values()[63 - Long.numberOfLeadingZeros(bits)];
  }

  /** The keys, first served first. */
  public List<DispatchKey> keys() {
    List<DispatchKey> keys = new ArrayList<>();
    for (long rest = bits; rest != 0; rest &= ~Long.highestOneBit(rest)) {
      keys.add(DispatchKey.values()[63 - Long.numberOfLeadingZeros(rest)]);
    }
    return List.copyOf(keys);
  }

  @Override
  public String toString() {
    return keys().toString();
  }
}
