package dev.jcomms.internal;

import dev.jcomms.Codec;
import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Operations on values, as operations on tensors: first lengths, then bytes.
 *
 * <p>Each is laid out when it is called: the value is encoded, and what is wrong with the arguments
 * or lacking in the backend is said. The rest is an {@link ObjectTurn}.
 */
abstract class ObjectOperations implements Comm {
  private static final Tensor NOTHING = ObjectBytes.room(0);

  /** Refuses an operation on values that cannot be called now. */
  abstract void admit(String name);

  /** Refuses an operation on tensors as it would be refused in its turn. */
  abstract void check(Collective op);

  /** What begins with {@code first}, which is checked, and goes on with {@code rest}. */
  abstract <T> ObjectTurn<T> turn(
      String name, OpOptions options, Collective first, ObjectTurn.Steps<T> rest);

  abstract <T> T run(Turn<T> turn);

  abstract <T> CompletableFuture<T> start(Turn<T> turn);

  @Override
  public final <T> T broadcastObject(T value, int root, Codec<T> codec, OpOptions options) {
    return run(broadcastTurn(value, root, codec, options));
  }

  @Override
  public final <T> CompletableFuture<T> broadcastObjectAsync(
      T value, int root, Codec<T> codec, OpOptions options) {
    return start(broadcastTurn(value, root, codec, options));
  }

  private <T> ObjectTurn<T> broadcastTurn(T value, int root, Codec<T> codec, OpOptions options) {
    admit("broadcast_object");
    byte[] mine = rank() == root ? ObjectBytes.encode(value, codec) : new byte[0];
    Tensor length = Tensor.of((long) mine.length);
    return turn(
        "broadcast_object",
        options,
        new Collective.Broadcast(length, root),
        run -> {
          Tensor bytes =
              rank() == root ? ObjectBytes.tensor(mine) : ObjectBytes.room(length.getLong(0));
          run.accept(new Collective.Broadcast(bytes, root));
          return () -> codec.decode(bytes.toByteArray());
        });
  }

  @Override
  public final <T> List<T> allGatherObject(T value, Codec<T> codec, OpOptions options) {
    return run(allGatherTurn(value, codec, options));
  }

  @Override
  public final <T> CompletableFuture<List<T>> allGatherObjectAsync(
      T value, Codec<T> codec, OpOptions options) {
    return start(allGatherTurn(value, codec, options));
  }

  private <T> ObjectTurn<List<T>> allGatherTurn(T value, Codec<T> codec, OpOptions options) {
    admit("all_gather_object");
    byte[] mine = ObjectBytes.encode(value, codec);
    check(new Collective.AllGatherV(nothings(), NOTHING));
    Tensor lengths = Tensor.zeros(DType.I64, Shape.of(size()));
    return turn(
        "all_gather_object",
        options,
        new Collective.AllGatherSingle(lengths, Tensor.of((long) mine.length)),
        run -> {
          List<Tensor> rooms = new ArrayList<>();
          for (int r = 0; r < size(); r++) {
            rooms.add(ObjectBytes.room(lengths.getLong(r)));
          }
          run.accept(new Collective.AllGatherV(rooms, ObjectBytes.tensor(mine)));
          return () -> rooms.stream().map(room -> codec.decode(room.toByteArray())).toList();
        });
  }

  @Override
  public final <T> List<T> gatherObject(T value, int root, Codec<T> codec, OpOptions options) {
    return run(gatherTurn(value, root, codec, options));
  }

  @Override
  public final <T> CompletableFuture<List<T>> gatherObjectAsync(
      T value, int root, Codec<T> codec, OpOptions options) {
    return start(gatherTurn(value, root, codec, options));
  }

  private <T> ObjectTurn<List<T>> gatherTurn(T value, int root, Codec<T> codec, OpOptions options) {
    admit("gather_object");
    byte[] mine = ObjectBytes.encode(value, codec);
    check(new Collective.Gather(rank() == root ? nothings() : List.of(), NOTHING, root));
    Tensor lengths = Tensor.zeros(DType.I64, Shape.of(size()));
    return turn(
        "gather_object",
        options,
        new Collective.AllGatherSingle(lengths, Tensor.of((long) mine.length)),
        run -> {
          // Gather moves equal parts: each is padded to the longest.
          long most = longest(lengths);
          List<Tensor> rooms = new ArrayList<>();
          for (int r = 0; rank() == root && r < size(); r++) {
            rooms.add(ObjectBytes.room(most));
          }
          run.accept(new Collective.Gather(rooms, padded(mine, most), root));
          return () -> {
            List<T> values = new ArrayList<>();
            for (int r = 0; r < rooms.size(); r++) {
              values.add(codec.decode(head(rooms.get(r), lengths.getLong(r))));
            }
            return values;
          };
        });
  }

  @Override
  public final <T> T scatterObject(List<T> values, int root, Codec<T> codec, OpOptions options) {
    return run(scatterTurn(values, root, codec, options));
  }

  @Override
  public final <T> CompletableFuture<T> scatterObjectAsync(
      List<T> values, int root, Codec<T> codec, OpOptions options) {
    return start(scatterTurn(values, root, codec, options));
  }

  private <T> ObjectTurn<T> scatterTurn(
      List<T> values, int root, Codec<T> codec, OpOptions options) {
    admit("scatter_object");
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
    check(new Collective.Scatter(NOTHING, rank() == root ? nothings() : List.of(), root));
    return turn(
        "scatter_object",
        options,
        new Collective.Broadcast(lengths, root),
        run -> {
          long most = longest(lengths);
          List<Tensor> parts = all.stream().map(bytes -> padded(bytes, most)).toList();
          Tensor mine = ObjectBytes.room(most);
          run.accept(new Collective.Scatter(mine, parts, root));
          return () -> codec.decode(head(mine, lengths.getLong(rank())));
        });
  }

  @Override
  public final <T> void sendObject(T value, int dst, Codec<T> codec, OpOptions options) {
    run(sendTurn(value, dst, codec, options));
  }

  @Override
  public final <T> CompletableFuture<Void> sendObjectAsync(
      T value, int dst, Codec<T> codec, OpOptions options) {
    return start(sendTurn(value, dst, codec, options));
  }

  private <T> ObjectTurn<Void> sendTurn(T value, int dst, Codec<T> codec, OpOptions options) {
    admit("send_object");
    byte[] bytes = ObjectBytes.encode(value, codec);
    return turn(
        "send_object",
        options,
        new Collective.Send(Tensor.of((long) bytes.length), dst, 0),
        run -> {
          run.accept(new Collective.Send(ObjectBytes.tensor(bytes), dst, 0));
          return () -> null;
        });
  }

  @Override
  public final <T> T recvObject(int src, Codec<T> codec, OpOptions options) {
    return run(recvTurn(src, codec, options));
  }

  @Override
  public final <T> CompletableFuture<T> recvObjectAsync(
      int src, Codec<T> codec, OpOptions options) {
    return start(recvTurn(src, codec, options));
  }

  private <T> ObjectTurn<T> recvTurn(int src, Codec<T> codec, OpOptions options) {
    admit("recv_object");
    Tensor length = Tensor.of(0L);
    return turn(
        "recv_object",
        options,
        new Collective.Recv(length, src, 0),
        run -> {
          Tensor bytes = ObjectBytes.room(length.getLong(0));
          run.accept(new Collective.Recv(bytes, src, 0));
          return () -> codec.decode(bytes.toByteArray());
        });
  }

  private List<Tensor> nothings() {
    return Collections.nCopies(size(), NOTHING);
  }

  private static long longest(Tensor lengths) {
    long most = 0;
    for (int r = 0; r < lengths.elements(); r++) {
      most = Math.max(most, ObjectBytes.bounded(lengths.getLong(r)));
    }
    return most;
  }

  private static Tensor padded(byte[] bytes, long most) {
    Tensor room = ObjectBytes.room(most);
    room.narrow(0, 0, bytes.length).copyFrom(ObjectBytes.tensor(bytes));
    return room;
  }

  private static byte[] head(Tensor room, long bytes) {
    return room.narrow(0, 0, bytes).toByteArray();
  }
}
