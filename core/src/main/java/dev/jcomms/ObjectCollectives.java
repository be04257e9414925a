package dev.jcomms;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Operations on values instead of tensors: encoded by a {@link Codec}, moved as bytes, lengths
 * first.
 *
 * <p>For set-up and bookkeeping, not for volume. Every rank uses the same codec. What a peer sent
 * is only ever decoded by that codec; a length above {@link #MAX_OBJECT_BYTES} is refused on both
 * sides.
 *
 * <p>A value is encoded when the operation is called, so it may change afterwards. Behind an
 * operation are several on tensors, each with the options given; no other operation of the
 * communicator comes between them, so one that waits for a peer holds up what was called after it:
 * of two ranks that send to each other, one has to receive first. None can be recorded by {@link
 * Comm#capture}, since a value has another length next time.
 *
 * <p>The {@code …Async} forms return a future of the value. It fails as the blocking form throws,
 * also when the communicator is aborted or lost; cancelling it ends nobody's operation but only the
 * wait. What depends on it runs on a thread of its own and may call, and wait for, the next
 * operation.
 */
public interface ObjectCollectives {
  /** The most bytes one value may take. */
  int MAX_OBJECT_BYTES = 1 << 28;

  /** The root's value, on every rank; the others' own value is not looked at. */
  default <T> T broadcastObject(T value, int root, Codec<T> codec) {
    return broadcastObject(value, root, codec, OpOptions.DEFAULT);
  }

  /** The root's value, on every rank; the others' own value is not looked at. */
  <T> T broadcastObject(T value, int root, Codec<T> codec, OpOptions options);

  /** The root's value, on every rank; the others' own value is not looked at. */
  default <T> CompletableFuture<T> broadcastObjectAsync(T value, int root, Codec<T> codec) {
    return broadcastObjectAsync(value, root, codec, OpOptions.DEFAULT);
  }

  /** The root's value, on every rank; the others' own value is not looked at. */
  <T> CompletableFuture<T> broadcastObjectAsync(
      T value, int root, Codec<T> codec, OpOptions options);

  /** All ranks' values, by rank, on every rank. */
  default <T> List<T> allGatherObject(T value, Codec<T> codec) {
    return allGatherObject(value, codec, OpOptions.DEFAULT);
  }

  /** All ranks' values, by rank, on every rank. */
  <T> List<T> allGatherObject(T value, Codec<T> codec, OpOptions options);

  /** All ranks' values, by rank, on every rank. */
  default <T> CompletableFuture<List<T>> allGatherObjectAsync(T value, Codec<T> codec) {
    return allGatherObjectAsync(value, codec, OpOptions.DEFAULT);
  }

  /** All ranks' values, by rank, on every rank. */
  <T> CompletableFuture<List<T>> allGatherObjectAsync(T value, Codec<T> codec, OpOptions options);

  /** All ranks' values, by rank, on the root; elsewhere an empty list. */
  default <T> List<T> gatherObject(T value, int root, Codec<T> codec) {
    return gatherObject(value, root, codec, OpOptions.DEFAULT);
  }

  /** All ranks' values, by rank, on the root; elsewhere an empty list. */
  <T> List<T> gatherObject(T value, int root, Codec<T> codec, OpOptions options);

  /** All ranks' values, by rank, on the root; elsewhere an empty list. */
  default <T> CompletableFuture<List<T>> gatherObjectAsync(T value, int root, Codec<T> codec) {
    return gatherObjectAsync(value, root, codec, OpOptions.DEFAULT);
  }

  /** All ranks' values, by rank, on the root; elsewhere an empty list. */
  <T> CompletableFuture<List<T>> gatherObjectAsync(
      T value, int root, Codec<T> codec, OpOptions options);

  /** The root's {@code values[rank]}; elsewhere the list may be empty. */
  default <T> T scatterObject(List<T> values, int root, Codec<T> codec) {
    return scatterObject(values, root, codec, OpOptions.DEFAULT);
  }

  /** The root's {@code values[rank]}; elsewhere the list may be empty. */
  <T> T scatterObject(List<T> values, int root, Codec<T> codec, OpOptions options);

  /** The root's {@code values[rank]}; elsewhere the list may be empty. */
  default <T> CompletableFuture<T> scatterObjectAsync(List<T> values, int root, Codec<T> codec) {
    return scatterObjectAsync(values, root, codec, OpOptions.DEFAULT);
  }

  /** The root's {@code values[rank]}; elsewhere the list may be empty. */
  <T> CompletableFuture<T> scatterObjectAsync(
      List<T> values, int root, Codec<T> codec, OpOptions options);

  /** Sends a value to a rank. */
  default <T> void sendObject(T value, int dst, Codec<T> codec) {
    sendObject(value, dst, codec, OpOptions.DEFAULT);
  }

  /** Sends a value to a rank. */
  <T> void sendObject(T value, int dst, Codec<T> codec, OpOptions options);

  /** Sends a value to a rank. */
  default <T> CompletableFuture<Void> sendObjectAsync(T value, int dst, Codec<T> codec) {
    return sendObjectAsync(value, dst, codec, OpOptions.DEFAULT);
  }

  /** Sends a value to a rank. */
  <T> CompletableFuture<Void> sendObjectAsync(T value, int dst, Codec<T> codec, OpOptions options);

  /** Receives a value from a rank. */
  default <T> T recvObject(int src, Codec<T> codec) {
    return recvObject(src, codec, OpOptions.DEFAULT);
  }

  /** Receives a value from a rank. */
  <T> T recvObject(int src, Codec<T> codec, OpOptions options);

  /** Receives a value from a rank. */
  default <T> CompletableFuture<T> recvObjectAsync(int src, Codec<T> codec) {
    return recvObjectAsync(src, codec, OpOptions.DEFAULT);
  }

  /** Receives a value from a rank. */
  <T> CompletableFuture<T> recvObjectAsync(int src, Codec<T> codec, OpOptions options);
}
