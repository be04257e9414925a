package dev.jcomms;

/**
 * Where a rank can be met to build a communicator anew: what {@link Comm#initHandle()} gives and
 * {@link Comm#reconfigure} takes. Plain text, to be passed on by whatever channel the survivors
 * have.
 */
public record InitHandle(String value) implements Comparable<InitHandle> {
  public InitHandle {
    if (!value.matches("jcomms1:[0-9a-f-]{36}@[^\\s@]{1,255}:\\d{1,5}")) {
      throw new IllegalArgumentException("not an init handle: '" + value + "'");
    }
  }

  /** The handle's owner, unique to one communicator of one rank. */
  public String owner() {
    return value.substring(value.indexOf(':') + 1, value.indexOf('@'));
  }

  /** Where the owner's store listens, {@code host:port}. */
  public String address() {
    return value.substring(value.indexOf('@') + 1);
  }

  @Override
  public int compareTo(InitHandle other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
