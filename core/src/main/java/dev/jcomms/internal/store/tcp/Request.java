package dev.jcomms.internal.store.tcp;

import java.util.List;

/**
 * One request of a client, complete. Keys are the bytes of the wire as Latin-1 text, whatever their
 * encoding: they are compared, never shown.
 *
 * <p>There is no request for many values at once: a MULTI_SET is served as that many {@link Put}s,
 * a MULTI_GET as that many {@link Get}s, whose answers make up its own.
 */
sealed interface Request {
  record Validate(int magic) implements Request {}

  record Hello(byte[] nonce) implements Request {}

  record Prove(byte[] proof) implements Request {}

  record Ping(int nonce) implements Request {}

  record Put(String key, byte[] value) implements Request {}

  record CompareSet(String key, byte[] expected, byte[] desired) implements Request {}

  record Get(String key) implements Request {}

  record Add(String key, long delta) implements Request {}

  record Check(List<String> keys) implements Request {}

  record Wait(List<String> keys) implements Request {}

  record CountKeys() implements Request {}

  record Delete(String key) implements Request {}

  record Append(String key, byte[] value) implements Request {}

  record CancelWait() implements Request {}

  record QueuePush(String key, byte[] value) implements Request {}

  record QueuePop(String key) implements Request {}

  record QueueLength(String key) implements Request {}

  record ListKeys() implements Request {}

  record Barrier(String key, long participants) implements Request {}
}
