package dev.jcomms.store;

final class TcpStoreSecretTest extends TcpStoreContract {
  private static final StoreSecret SECRET = StoreSecret.generate();

  @Override
  TcpStoreServerOptions serverOptions() {
    return TcpStoreServerOptions.defaults().secret(SECRET);
  }

  @Override
  TcpStoreOptions clientOptions() {
    return TcpStoreOptions.defaults().secret(SECRET);
  }
}
