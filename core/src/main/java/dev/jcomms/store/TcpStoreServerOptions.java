package dev.jcomms.store;

import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a {@link TcpStoreServer} listens and whom it admits. Immutable; every setter returns a
 * changed copy.
 */
public final class TcpStoreServerOptions {
  private static final TcpStoreServerOptions DEFAULTS =
      new TcpStoreServerOptions(
          InetAddress.getLoopbackAddress(), 0, null, false, StoreLimits.defaults());

  private final InetAddress address;
  private final int port;
  private final StoreSecret secret;
  private final boolean open;
  private final StoreLimits limits;

  private TcpStoreServerOptions(
      InetAddress address, int port, StoreSecret secret, boolean open, StoreLimits limits) {
    this.address = address;
    this.port = port;
    this.secret = secret;
    this.open = open;
    this.limits = limits;
  }

  /** Loopback, an ephemeral port, no secret, {@link StoreLimits#defaults()}. */
  public static TcpStoreServerOptions defaults() {
    return DEFAULTS;
  }

  /** The address to listen on; {@code 0.0.0.0} or {@code ::} for all. */
  public TcpStoreServerOptions address(InetAddress value) {
    return new TcpStoreServerOptions(Objects.requireNonNull(value), port, secret, open, limits);
  }

  /** The port to listen on; 0 for one that the system chooses. */
  public TcpStoreServerOptions port(int value) {
    if (value < 0 || value > 0xffff) {
      throw new IllegalArgumentException("store server: port=" + value + " is not in 0..65535");
    }
    return new TcpStoreServerOptions(address, value, secret, open, limits);
  }

  /** The secret that clients prove. */
  public TcpStoreServerOptions secret(StoreSecret value) {
    return new TcpStoreServerOptions(address, port, Objects.requireNonNull(value), open, limits);
  }

  /**
   * Whether clients that speak no handshake (PyTorch's) are admitted although there is a secret.
   * Clients that do speak it still get, and must give, the proof. Without a secret a server is open
   * in any case.
   */
  public TcpStoreServerOptions open(boolean value) {
    return new TcpStoreServerOptions(address, port, secret, value, limits);
  }

  /** What clients are allowed. */
  public TcpStoreServerOptions limits(StoreLimits value) {
    return new TcpStoreServerOptions(address, port, secret, open, Objects.requireNonNull(value));
  }

  /** See {@link #address(InetAddress)}. */
  public InetAddress address() {
    return address;
  }

  /** See {@link #port(int)}. */
  public int port() {
    return port;
  }

  /** See {@link #secret(StoreSecret)}. */
  public Optional<StoreSecret> secret() {
    return Optional.ofNullable(secret);
  }

  /** See {@link #open(boolean)}. */
  public boolean open() {
    return open || secret == null;
  }

  /** See {@link #limits(StoreLimits)}. */
  public StoreLimits limits() {
    return limits;
  }
}
