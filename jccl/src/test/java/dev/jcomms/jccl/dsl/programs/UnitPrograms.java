package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;
import static dev.jcomms.jccl.plan.Protocol.LL;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.MemoryChannel;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.On;
import dev.jcomms.jccl.dsl.PortChannel;
import dev.jcomms.jccl.dsl.ProgramBuilder;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.Rank;
import dev.jcomms.jccl.dsl.ThreadBlockGroup;
import dev.jcomms.jccl.plan.BufferType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The smallest program for each op. */
final class UnitPrograms {
  private UnitPrograms() {}

  static CollectiveProgram barrier() {
    return define(ProgramSpec.test("barrier_test", 1, 0, 0), p -> p.rank(0).barrier(0, 1));
  }

  static CollectiveProgram copy(On on) {
    return define(
        ProgramSpec.test("copy_test", 1, 1, 1),
        p -> p.rank(0).copy(p.rank(0).input().all(), p.rank(0).output().all(), on));
  }

  static CollectiveProgram copyPackets() {
    return define(
        ProgramSpec.test("copy_packets_test", 1, 1, 1).protocol(LL),
        p -> p.rank(0).copyPackets(p.rank(0).input().all(), p.rank(0).scratch(1).all(), on(0)));
  }

  static CollectiveProgram unpackPackets() {
    return define(
        ProgramSpec.test("unpack_packets_test", 1, 1, 1).protocol(LL),
        p -> {
          Rank rank = p.rank(0);
          Chunk packets = rank.scratch(1).all();
          rank.copyPackets(rank.input().all(), packets, on(0));
          rank.unpackPackets(packets, rank.output().all(), on(0));
        });
  }

  static CollectiveProgram flush() {
    return define(
        ProgramSpec.test("flush_test", 2, 0, 0),
        p -> p.portChannel(0, 1).flush(on(0).syncBefore()));
  }

  static CollectiveProgram fusedFlush() {
    return define(
        ProgramSpec.test("flush_test", 2, 0, 0),
        p -> {
          p.portChannel(0, 1).flush(on(0));
          p.portChannel(0, 1).flush(on(0));
        });
  }

  static CollectiveProgram pipeline() {
    return define(
        ProgramSpec.test("barrier_test", 1, 1, 1),
        p ->
            p.loop(
                1 << 20,
                1,
                () -> p.rank(0).copy(p.rank(0).input().all(), p.rank(0).output().all(), on(0))));
  }

  static CollectiveProgram put() {
    return exchange(
        ProgramSpec.test("put_test", 2, 2, 0),
        (p, link) ->
            link.put(
                p.rank(link.from()).input().chunk(0), p.rank(link.to()).input().chunk(1), on(0)));
  }

  static CollectiveProgram fusedPut() {
    return define(
        ProgramSpec.test("put_test", 2, 2, 0),
        p -> {
          Mesh first = p.memoryMesh();
          Mesh second = p.memoryMesh();
          first.forEach(link -> link.signal(on(0).relaxed()));
          first.forEach(link -> link.await(on(0).relaxed()));
          for (int rank : p.ranks()) {
            Buffer mine = p.rank(rank).input();
            Buffer theirs = p.rank(1 - rank).input();
            first.link(rank, 1 - rank).put(mine.chunk(0), theirs.chunk(1), on(0));
            second.link(rank, 1 - rank).put(mine.chunk(1), theirs.chunk(0), on(0));
          }
          second.forEach(link -> link.signal(on(0).syncBefore()));
          second.forEach(link -> link.await(on(0).syncAfter()));
        });
  }

  static CollectiveProgram fusedGet() {
    return exchange(
        ProgramSpec.test("get_test", 2, 2, 0),
        (p, link) -> {
          for (int time = 0; time < 2; time++) {
            link.get(
                p.rank(link.to()).input().chunk(1), p.rank(link.from()).input().chunk(0), on(0));
          }
        });
  }

  static CollectiveProgram putPackets() {
    return define(
        ProgramSpec.test("put_packets_test", 2, 1, 0).protocol(LL),
        p -> {
          List<Buffer> scratch = scratch(p, 1);
          p.memoryMesh()
              .forEach(
                  link ->
                      link.putPackets(
                          p.rank(link.from()).input().all(), scratch.get(link.to()).all(), on(0)));
        });
  }

  static CollectiveProgram forwardPackets() {
    return define(
        ProgramSpec.test("read_put_packets_test", 2, 0, 0).protocol(LL),
        p -> {
          List<Buffer> scratch = scratch(p, 2);
          p.memoryMesh()
              .forEach(
                  link ->
                      link.forwardPackets(
                          scratch.get(link.from()).chunk(0),
                          scratch.get(link.to()).chunk(1),
                          on(0)));
        });
  }

  static CollectiveProgram putWithSignal() {
    return ports(
        "put_with_signal_test",
        (p, port) ->
            port.putWithSignal(
                p.rank(port.from()).input().chunk(0), p.rank(port.to()).input().chunk(1), on(0)));
  }

  static CollectiveProgram putWithSignalAndFlush() {
    return ports(
        "put_with_signal_and_flush_test",
        (p, port) ->
            port.putWithSignalAndFlush(
                p.rank(port.from()).input().chunk(0), p.rank(port.to()).input().chunk(1), on(0)));
  }

  static CollectiveProgram readReduce(int... chunks) {
    return exchange(
        ProgramSpec.test("read_reduce_test", 2, 2, 2),
        (p, link) -> {
          for (int chunk : chunks) {
            link.reduce(
                p.rank(link.from()).input().chunk(0),
                List.of(p.rank(link.to()).input().chunk(chunk)),
                p.rank(link.from()).output().chunk(0),
                on(0));
          }
        });
  }

  static CollectiveProgram reduceSend() {
    return exchange(
        ProgramSpec.test("reduce_send_test", 2, 2, 2),
        (p, link) -> {
          Rank rank = p.rank(link.from());
          Chunk sum = rank.output().chunk(0);
          rank.reduce(rank.input().chunk(0), List.of(rank.input().chunk(1)), sum, on(0));
          link.put(sum, p.rank(link.to()).output().chunk(1), on(0));
        });
  }

  static CollectiveProgram reduce(On on) {
    return define(
        ProgramSpec.test("reduce_test", 1, 2, 1),
        p -> {
          Buffer input = p.rank(0).input();
          p.rank(0)
              .reduce(input.chunk(0), List.of(input.chunk(1)), p.rank(0).output().chunk(0), on);
        });
  }

  static CollectiveProgram fusedReduce(On on) {
    return define(
        ProgramSpec.test("reduce_test", 1, 3, 2),
        p -> {
          Buffer input = p.rank(0).input();
          Chunk sum = p.rank(0).output().chunk(0);
          p.rank(0).reduce(input.chunk(0), List.of(input.chunk(1)), sum, on);
          p.rank(0).reduce(input.chunk(0), List.of(input.chunk(2)), sum, on);
        });
  }

  static CollectiveProgram reducePackets(int packets) {
    return define(
        ProgramSpec.test("reduce_packets_test", 1, 0, 0).protocol(LL),
        p -> {
          Buffer scratch = p.rank(0).scratch(packets + 2);
          for (int i = 1; i <= packets; i++) {
            p.rank(0)
                .reducePackets(
                    scratch.chunk(0), List.of(scratch.chunk(i)), scratch.chunk(packets + 1), on(0));
          }
        });
  }

  static CollectiveProgram reduceCopyPackets() {
    return define(
        ProgramSpec.test("reduce_copy_packets_test", 1, 1, 0).protocol(LL),
        p -> {
          Rank rank = p.rank(0);
          Buffer scratch = rank.scratch(2);
          rank.reducePackets(rank.input().all(), List.of(scratch.chunk(0)), on(0));
          rank.copyPackets(rank.input().all(), scratch.chunk(1), on(0));
        });
  }

  static CollectiveProgram reduceSendPackets() {
    return define(
        ProgramSpec.test("reduce_send_packets_test", 2, 0, 0).protocol(LL),
        p -> {
          List<Buffer> scratch = scratch(p, 4);
          p.memoryMesh()
              .forEach(
                  link -> {
                    Buffer mine = scratch.get(link.from());
                    p.rank(link.from())
                        .reducePackets(mine.chunk(0), List.of(mine.chunk(1)), mine.chunk(2), on(0));
                    link.putPackets(mine.chunk(2), scratch.get(link.to()).chunk(3), on(0));
                  });
        });
  }

  static CollectiveProgram signalAndWait() {
    return define(
        ProgramSpec.test("signal_wait_test", 2, 0, 0),
        p -> {
          Mesh mesh = p.memoryMesh();
          mesh.forEach(link -> link.signal(on(0).syncBefore()));
          mesh.forEach(link -> link.await(on(0).syncAfter()));
        });
  }

  static CollectiveProgram relaxedSignalAndWait() {
    return define(
        ProgramSpec.test("relaxed_signal_wait_test", 2, 0, 0),
        p -> {
          Mesh mesh = p.memoryMesh();
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed()));
        });
  }

  /** Signals on the first two of four channels, waits on the last two. */
  static CollectiveProgram fusedSignalAndWait(String name, On on) {
    return define(
        ProgramSpec.test(name, 2, 0, 0),
        p -> {
          List<Mesh> meshes = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            meshes.add(p.memoryMesh());
          }
          meshes.subList(0, 2).forEach(mesh -> mesh.forEach(link -> link.signal(on)));
          meshes.subList(2, 4).forEach(mesh -> mesh.forEach(link -> link.await(on)));
        });
  }

  static CollectiveProgram switchBroadcast() {
    return define(
        ProgramSpec.test("group_store_test", 3, 1, 1),
        p ->
            p.switchChannel(List.of(0, 1), BufferType.INPUT)
                .at(0)
                .broadcast(p.rank(0).scratch(1).all(), 0, on(0)));
  }

  static On four() {
    return on(ThreadBlockGroup.range(0, 4));
  }

  private static CollectiveProgram define(ProgramSpec spec, Consumer<ProgramBuilder> body) {
    return CollectiveProgram.define(spec, body);
  }

  private static List<Buffer> scratch(ProgramBuilder p, int chunks) {
    return p.ranks().stream().map(rank -> p.rank(rank).scratch(chunks)).toList();
  }

  /** Two ranks meet, do something to each other, and meet again. */
  private static CollectiveProgram exchange(
      ProgramSpec spec, BiConsumer<ProgramBuilder, MemoryChannel> body) {
    return define(
        spec,
        p -> {
          Mesh mesh = p.memoryMesh();
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed()));
          mesh.forEach(link -> body.accept(p, link));
          mesh.forEach(link -> link.signal(on(0).syncBefore()));
          mesh.forEach(link -> link.await(on(0).syncAfter()));
        });
  }

  private static CollectiveProgram ports(
      String name, BiConsumer<ProgramBuilder, PortChannel> body) {
    return define(
        ProgramSpec.test(name, 2, 2, 0),
        p -> {
          List<PortChannel> ports = List.of(p.portChannel(0, 1), p.portChannel(1, 0));
          ports.forEach(port -> port.signal(on(0)));
          ports.forEach(port -> port.await(on(0)));
          ports.forEach(port -> body.accept(p, port));
          ports.forEach(port -> port.await(on(0).syncAfter()));
        });
  }
}
