package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;
import static dev.jcomms.jccl.plan.Protocol.LL;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.Rank;
import dev.jcomms.jccl.dsl.SwitchChannel;
import dev.jcomms.jccl.plan.BufferType;
import java.util.List;
import java.util.stream.IntStream;

/** All-reduces on one node. */
final class AllReducePrograms {
  private AllReducePrograms() {}

  /** Each rank reads its shard from all and writes the sum to all; eight blocks, a chunk each. */
  static CollectiveProgram zeroCopy(int n) {
    int blocks = 8;
    return CollectiveProgram.define(
        ProgramSpec.allReduce("allreduce_" + n, n).chunkFactor(blocks).inPlace(),
        p -> {
          for (int b = 0; b < blocks; b++) {
            int block = b;
            Mesh mesh = p.memoryMesh();
            mesh.forEach(link -> link.signal(on(block).relaxed()));
            mesh.forEach(link -> link.await(on(block).relaxed().syncAfter()));
            for (int rank : p.ranks()) {
              int index = rank * blocks + block;
              Chunk mine = p.rank(rank).input().chunk(index);
              mesh.from(rank)
                  .forEach(
                      link ->
                          link.reduce(
                              mine, List.of(p.rank(link.to()).input().chunk(index)), on(block)));
              mesh.from(rank)
                  .forEach(
                      link -> link.put(mine, p.rank(link.to()).input().chunk(index), on(block)));
            }
            mesh.forEach(link -> link.signal(on(block)));
            mesh.forEach(link -> link.await(on(block)));
          }
        });
  }

  /** Shards as packets to their owners, sums as packets to all; one block does everything. */
  static CollectiveProgram naive(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allReduce("allreduce_naivy_" + n, n).inPlace().protocol(LL),
        p -> {
          Mesh mesh = p.memoryMesh();
          List<Buffer> scratch = p.ranks().stream().map(r -> p.rank(r).scratch(2 * n)).toList();
          mesh.forEach(
              link ->
                  link.putPackets(
                      p.rank(link.from()).input().chunk(link.to()),
                      scratch.get(link.to()).chunk(link.from()),
                      on(0)));
          for (int rank : p.ranks()) {
            Chunk mine = p.rank(rank).input().chunk(rank);
            for (int peer : Peers.of(rank, n)) {
              p.rank(rank).reducePackets(mine, List.of(scratch.get(rank).chunk(peer)), on(0));
            }
            mesh.from(rank)
                .forEach(
                    link -> link.putPackets(mine, scratch.get(link.to()).chunk(n + rank), on(0)));
          }
          for (int rank : p.ranks()) {
            for (int peer : Peers.of(rank, n)) {
              p.rank(rank)
                  .unpackPackets(
                      scratch.get(rank).chunk(n + peer), p.rank(rank).input().chunk(peer), on(0));
            }
          }
        });
  }

  /** The same with a block for each chunk of the shard, and a slot for each other rank. */
  static CollectiveProgram packets(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allReduce("allreduce_pkt_" + n, n)
            .chunkFactor(n)
            .inPlace()
            .protocol(LL)
            .doubleScratch()
            .noAutoSync(),
        p -> {
          Mesh mesh = p.memoryMesh();
          int shards = (n - 1) * n;
          List<Buffer> scratch =
              p.ranks().stream().map(rank -> p.rank(rank).scratch(2 * shards)).toList();
          mesh.forEach(
              link -> {
                int slot = Peers.slot(link.from(), link.to()) * n;
                link.putPackets(
                    p.rank(link.from()).input().slice(link.to() * n, (link.to() + 1) * n),
                    scratch.get(link.to()).slice(slot, slot + n),
                    on(Peers.slot(link.to(), link.from())));
              });
          for (int r : p.ranks()) {
            Rank rank = p.rank(r);
            for (int b = 0; b < n; b++) {
              int block = b;
              Chunk mine = rank.input().chunk(r * n + block);
              List<Chunk> theirs =
                  IntStream.range(0, n - 1)
                      .mapToObj(slot -> scratch.get(r).chunk(slot * n + block))
                      .toList();
              rank.reducePackets(mine, theirs, on(block));
              for (var link : mesh.from(r)) {
                int sum = shards + Peers.slot(r, link.to()) * n + block;
                link.putPackets(mine, scratch.get(link.to()).chunk(sum), on(block));
              }
            }
            for (int peer : Peers.of(r, n)) {
              int sum = shards + Peers.slot(peer, r) * n;
              rank.unpackPackets(
                  scratch.get(r).slice(sum, sum + n),
                  rank.input().slice(peer * n, (peer + 1) * n),
                  on(peer));
            }
          }
        });
  }

  /** Each rank has the switch sum its shard and store it everywhere, in eight instances. */
  static CollectiveProgram nvls(String name, int n, int instances) {
    return CollectiveProgram.define(
        ProgramSpec.allReduce(name, n).inPlace().instances(instances),
        p -> {
          SwitchChannel nvls = p.switchChannel(p.ranks(), BufferType.INPUT);
          Mesh mesh = p.memoryMesh();
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
          for (int rank : p.ranks()) {
            Chunk mine = p.rank(rank).input().chunk(rank);
            nvls.at(rank).reduce(rank, mine, on(0));
            nvls.at(rank).broadcast(mine, rank, on(0));
          }
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
        });
  }
}
