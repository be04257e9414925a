package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;
import static dev.jcomms.jccl.plan.Protocol.LL;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.MemoryChannel;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.SwitchChannel;
import dev.jcomms.jccl.plan.BufferType;
import java.util.List;

/** All-gathers on one node. */
final class AllGatherPrograms {
  private AllGatherPrograms() {}

  static CollectiveProgram allPairs(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allGather("allgather", n).inPlace(),
        p -> {
          Mesh mesh = p.memoryMesh();
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
          mesh.forEach(
              link -> {
                int mine = link.from();
                link.put(
                    p.rank(mine).output().chunk(mine),
                    p.rank(link.to()).output().chunk(mine),
                    on(0));
              });
          mesh.forEach(link -> link.signal(on(0).syncBefore()));
          mesh.forEach(link -> link.await(on(0).syncAfter()));
        });
  }

  /** A block for each peer that sends, and one for each that receives. */
  static CollectiveProgram packets(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allGather("allgather_pkt_" + n, n).inPlace().protocol(LL).doubleScratch(),
        p -> {
          List<Buffer> scratch = p.ranks().stream().map(rank -> p.rank(rank).scratch(n)).toList();
          for (int rank : p.ranks()) {
            List<Integer> peers = Peers.around(rank, n);
            for (int i = 0; i < peers.size(); i++) {
              p.memoryChannel(rank, peers.get(i))
                  .putPackets(
                      p.rank(rank).output().chunk(rank),
                      scratch.get(peers.get(i)).chunk(rank),
                      on(i));
              p.rank(rank)
                  .unpackPackets(
                      scratch.get(rank).chunk(peers.get(i)),
                      p.rank(rank).output().chunk(peers.get(i)),
                      on(n - 1 + i));
            }
          }
        });
  }

  /** Packets are made once and sent to all. */
  static CollectiveProgram forwardedPackets(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allGather("allgather_pkt_rppkt_" + n, n).inPlace().protocol(LL).doubleScratch(),
        p -> {
          List<Buffer> scratch =
              p.ranks().stream().map(rank -> p.rank(rank).scratch(2 * n)).toList();
          for (int rank : p.ranks()) {
            Chunk packed = scratch.get(rank).chunk(n + rank);
            p.rank(rank).copyPackets(p.rank(rank).input().chunk(0), packed, on(0));
            for (int peer : Peers.around(rank, n)) {
              MemoryChannel link = p.memoryChannel(rank, peer);
              link.forwardPackets(packed, scratch.get(peer).chunk(rank), on(0));
            }
            for (int peer : Peers.around(rank, n)) {
              p.rank(rank)
                  .unpackPackets(
                      scratch.get(rank).chunk(peer), p.rank(rank).output().chunk(peer), on(0));
            }
          }
        });
  }

  static CollectiveProgram nvls(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allGather("allgather_nvls_zero_copy_" + n, n)
            .inPlace()
            .instances(8)
            .threadsPerBlock(256),
        p -> {
          SwitchChannel nvls = p.switchChannel(p.ranks(), BufferType.OUTPUT);
          Mesh mesh = p.memoryMesh();
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
          for (int rank : p.ranks()) {
            nvls.at(rank).broadcast(p.rank(rank).output().chunk(rank), rank, on(0));
          }
          mesh.forEach(link -> link.signal(on(0).relaxed()));
          mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
        });
  }

  static CollectiveProgram nvlsPackets(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allGather("allgather_nvls_zero_copy_pkt_" + n, n)
            .inPlace()
            .protocol(LL)
            .doubleScratch()
            .noAutoSync()
            .threadsPerBlock(256)
            .minBytes(1 << 10)
            .maxBytes(1 << 20),
        p -> {
          List<Buffer> scratch = p.ranks().stream().map(rank -> p.rank(rank).scratch(n)).toList();
          SwitchChannel nvls = p.switchChannel(p.ranks(), BufferType.SCRATCH);
          for (int rank : p.ranks()) {
            Chunk packed = scratch.get(rank).chunk(rank);
            p.rank(rank).copyPackets(p.rank(rank).output().chunk(rank), packed, on(0));
            nvls.at(rank).broadcastPackets(packed, rank, on(0));
            for (int peer : p.ranks()) {
              p.rank(rank)
                  .unpackPackets(
                      scratch.get(rank).chunk(peer), p.rank(rank).output().chunk(peer), on(peer));
            }
          }
        });
  }
}
