package dev.jcomms;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Operations on values instead of tensors: encoded by a {@link Codec}, moved as bytes, lengths
 * first.
 *
 * <p>For set-up and bookkeeping, not for volume. There are no async forms: a value is two
 * operations, and the second needs the lengths that the first brings. Every rank uses the same
 * codec. What a peer sent is only ever decoded by that codec; a length above {@link
 * #MAX_OBJECT_BYTES} is refused on both sides.
 */
public interface ObjectCollectives {
  /** The most bytes one value may take. */
  int MAX_OBJECT_BYTES = 1 << 28;

  /** This rank, as in {@link Comm#rank()}. */
  int rank();

  /** The number of ranks, as in {@link Comm#size()}. */
  int size();

  /** Runs an operation, as in {@link Collectives#run}. */
  void run(Collective op, OpOptions options);

  /** The root's value, on every rank; the others' own value is not looked at. */
  default <T> T broadcastObject(T value, int root, Codec<T> codec) {
    return broadcastObject(value, root, codec, OpOptions.DEFAULT);
  }

  /** As {@code broadcastObject}, each of its operations with these options. */
  default <T> T broadcastObject(T value, int root, Codec<T> codec, OpOptions options) {
    byte[] mine = rank() == root ? ObjectBytes.encode(value, codec) : new byte[0];
    Tensor length = Tensor.of((long) mine.length);
    run(new Collective.Broadcast(length, root), options);
    Tensor bytes = rank() == root ? ObjectBytes.tensor(mine) : ObjectBytes.room(length.getLong(0));
    run(new Collective.Broadcast(bytes, root), options);
    return codec.decode(bytes.toByteArray());
  }

  /** All ranks' values, by rank, on every rank. */
  default <T> List<T> allGatherObject(T value, Codec<T> codec) {
    return allGatherObject(value, codec, OpOptions.DEFAULT);
  }

  /** As {@code allGatherObject}, each of its operations with these options. */
  default <T> List<T> allGatherObject(T value, Codec<T> codec, OpOptions options) {
    byte[] mine = ObjectBytes.encode(value, codec);
    Tensor lengths = Tensor.zeros(DType.I64, Shape.of(size()));
    run(new Collective.AllGatherSingle(lengths, Tensor.of((long) mine.length)), options);
    List<Tensor> rooms = new ArrayList<>();
    for (int r = 0; r < size(); r++) {
      rooms.add(ObjectBytes.room(lengths.getLong(r)));
    }
    run(new Collective.AllGatherV(rooms, ObjectBytes.tensor(mine)), options);
    return rooms.stream().map(room -> codec.decode(room.toByteArray())).toList();
  }

  /** All ranks' values, by rank, on the root; elsewhere an empty list. */
  default <T> List<T> gatherObject(T value, int root, Codec<T> codec) {
    return gatherObject(value, root, codec, OpOptions.DEFAULT);
  }

  /** As {@code gatherObject}, each of its operations with these options. */
  default <T> List<T> gatherObject(T value, int root, Codec<T> codec, OpOptions options) {
    byte[] mine = ObjectBytes.encode(value, codec);
    Tensor lengths = Tensor.zeros(DType.I64, Shape.of(size()));
    run(new Collective.AllGatherSingle(lengths, Tensor.of((long) mine.length)), options);
    long most = 0;
    for (int r = 0; r < size(); r++) {
      most = Math.max(most, ObjectBytes.bounded(lengths.getLong(r)));
    }
    // Gather moves equal parts: each is padded to the longest.
    Tensor padded = ObjectBytes.room(most);
    padded.narrow(0, 0, mine.length).copyFrom(ObjectBytes.tensor(mine));
    List<Tensor> rooms = new ArrayList<>();
    for (int r = 0; rank() == root && r < size(); r++) {
      rooms.add(ObjectBytes.room(most));
    }
    run(new Collective.Gather(rooms, padded, root), options);
    List<T> values = new ArrayList<>();
    for (int r = 0; r < rooms.size(); r++) {
      values.add(codec.decode(rooms.get(r).narrow(0, 0, lengths.getLong(r)).toByteArray()));
    }
    return values;
  }

  /** The root's {@code values[rank]}; elsewhere the list may be empty. */
  default <T> T scatterObject(List<T> values, int root, Codec<T> codec) {
    return scatterObject(values, root, codec, OpOptions.DEFAULT);
  }

  /** As {@code scatterObject}, each of its operations with these options. */
  default <T> T scatterObject(List<T> values, int root, Codec<T> codec, OpOptions options) {
    List<byte[]> all = new ArrayList<>();
    Tensor lengths = Tensor.zeros(DType.I64, Shape.of(size()));
    if (rank() == root) {
      if (values.size() != size()) {
        throw new IllegalArgumentException(
            "scatter_object: values has size=" + values.size() + "; the comm has size=" + size());
      }
      for (int r = 0; r < size(); r++) {
        all.add(ObjectBytes.encode(values.get(r), codec));
        lengths.setLong(all.get(r).length, r);
      }
    }
    run(new Collective.Broadcast(lengths, root), options);
    long most = 0;
    for (int r = 0; r < size(); r++) {
      most = Math.max(most, ObjectBytes.bounded(lengths.getLong(r)));
    }
    List<Tensor> padded = new ArrayList<>();
    for (byte[] bytes : all) {
      Tensor room = ObjectBytes.room(most);
      room.narrow(0, 0, bytes.length).copyFrom(ObjectBytes.tensor(bytes));
      padded.add(room);
    }
    Tensor mine = ObjectBytes.room(most);
    run(new Collective.Scatter(mine, padded, root), options);
    return codec.decode(mine.narrow(0, 0, lengths.getLong(rank())).toByteArray());
  }

  /** Sends a value to a rank. */
  default <T> void sendObject(T value, int dst, Codec<T> codec) {
    sendObject(value, dst, codec, OpOptions.DEFAULT);
  }

  /** As {@code sendObject}, each of its operations with these options. */
  default <T> void sendObject(T value, int dst, Codec<T> codec, OpOptions options) {
    byte[] bytes = ObjectBytes.encode(value, codec);
    run(new Collective.Send(Tensor.of((long) bytes.length), dst, 0), options);
    run(new Collective.Send(ObjectBytes.tensor(bytes), dst, 0), options);
  }

  /** Receives a value from a rank. */
  default <T> T recvObject(int src, Codec<T> codec) {
    return recvObject(src, codec, OpOptions.DEFAULT);
  }

  /** As {@code recvObject}, each of its operations with these options. */
  default <T> T recvObject(int src, Codec<T> codec, OpOptions options) {
    Tensor length = Tensor.of(0L);
    run(new Collective.Recv(length, src, 0), options);
    Tensor bytes = ObjectBytes.room(length.getLong(0));
    run(new Collective.Recv(bytes, src, 0), options);
    return codec.decode(bytes.toByteArray());
  }
}
