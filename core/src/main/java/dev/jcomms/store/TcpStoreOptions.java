package dev.jcomms.store;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** How a {@link TcpStore} behaves. Immutable; every setter returns a changed copy. */
public final class TcpStoreOptions {
  private static final TcpStoreOptions DEFAULTS =
      new TcpStoreOptions(Duration.ofSeconds(300), null, false, "store");

  private final Duration timeout;
  private final StoreSecret secret;
  private final boolean plainServer;
  private final String name;

  private TcpStoreOptions(Duration timeout, StoreSecret secret, boolean plainServer, String name) {
    this.timeout = timeout;
    this.secret = secret;
    this.plainServer = plainServer;
    this.name = name;
  }

  /** A timeout of 300 s, as PyTorch's; no secret. */
  public static TcpStoreOptions defaults() {
    return DEFAULTS;
  }

  /** How long to try to connect, and how long calls without a timeout of their own may take. */
  public TcpStoreOptions timeout(Duration value) {
    if (value.isNegative()) throw new IllegalArgumentException("store: timeout=" + value);
    return new TcpStoreOptions(value, secret, plainServer, name);
  }

  /**
   * The secret to prove, and to demand a proof of: a server that cannot prove it is refused, unless
   * {@link #plainServer(boolean)} allows it.
   */
  public TcpStoreOptions secret(StoreSecret value) {
    return new TcpStoreOptions(timeout, Objects.requireNonNull(value), plainServer, name);
  }

  /**
   * Whether a server that knows no secrets at all (PyTorch's, or ours without one) is accepted
   * although a secret is set. Then nothing tells it from an impostor; the secret itself is not
   * given away.
   */
  public TcpStoreOptions plainServer(boolean allowed) {
    return new TcpStoreOptions(timeout, secret, allowed, name);
  }

  /** What errors call the store. */
  public TcpStoreOptions name(String value) {
    return new TcpStoreOptions(timeout, secret, plainServer, Objects.requireNonNull(value));
  }

  /** See {@link #timeout(Duration)}. */
  public Duration timeout() {
    return timeout;
  }

  /** See {@link #secret(StoreSecret)}. */
  public Optional<StoreSecret> secret() {
    return Optional.ofNullable(secret);
  }

  /** See {@link #plainServer(boolean)}. */
  public boolean plainServer() {
    return plainServer;
  }

  /** See {@link #name(String)}. */
  public String name() {
    return name;
  }
}
