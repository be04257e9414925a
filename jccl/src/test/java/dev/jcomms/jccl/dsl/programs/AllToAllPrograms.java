package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.MemoryChannel;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramBuilder;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.Semaphore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** All-to-alls on one node, through scratch: in place, a chunk is overwritten once it is sent. */
final class AllToAllPrograms {
  private AllToAllPrograms() {}

  /** A block for each peer. */
  static CollectiveProgram allPairs(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allToAll("alltoall_" + n, n).inPlace().instances(2),
        p -> {
          Mesh mesh = p.memoryMesh();
          List<Buffer> scratch = p.ranks().stream().map(r -> p.rank(r).scratch(n - 1)).toList();
          mesh.forEach(
              link -> {
                int rank = link.from();
                int block = Peers.slot(link.to(), rank);
                Chunk theirs = p.rank(rank).input().chunk(link.to());
                link.signal(on(block).relaxed());
                link.await(on(block).relaxed().syncAfter());
                link.put(
                    theirs, scratch.get(link.to()).chunk(Peers.slot(rank, link.to())), on(block));
                link.signal(on(block).syncBefore());
                link.await(on(block).syncAfter());
                p.rank(rank).copy(scratch.get(rank).chunk(block), theirs, on(block));
              });
        });
  }

  /** A block for each peer that sends, and one that receives, half a mebibyte apart. */
  static CollectiveProgram pipeline(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allToAll("alltoall_pipeline_" + n, n).inPlace().instances(2),
        p -> {
          List<Buffer> scratch = p.ranks().stream().map(r -> p.rank(r).scratch(n - 1)).toList();
          for (int rank : p.ranks()) {
            List<Semaphore> sent =
                IntStream.range(0, n).mapToObj(_ -> p.rank(rank).semaphore(0)).toList();
            for (int peer : Peers.of(rank, n)) {
              int sender = Peers.slot(peer, rank);
              int receiver = n - 1 + sender;
              MemoryChannel data = p.memoryChannel(rank, peer);
              MemoryChannel ready = p.memoryChannel(rank, peer);
              Chunk theirs = p.rank(rank).input().chunk(peer);
              ready.signal(on(sender).relaxed());
              ready.await(on(sender).relaxed().syncAfter());
              p.loop(
                  512 << 10,
                  1,
                  () -> {
                    data.put(theirs, scratch.get(peer).chunk(Peers.slot(rank, peer)), on(sender));
                    data.signal(on(sender));
                    sent.get(sender).release(on(sender));
                    sent.get(sender).acquire(on(receiver));
                    data.await(on(receiver));
                    p.rank(rank).copy(scratch.get(rank).chunk(sender), theirs, on(receiver));
                  });
            }
          }
        });
  }

  /** A channel for data and one to say that a rank is ready, from each rank to each other. */
  private record Links(Map<Integer, MemoryChannel> data, Map<Integer, MemoryChannel> ready) {
    static List<Links> of(ProgramBuilder p) {
      List<Links> all = new ArrayList<>();
      for (int rank : p.ranks()) {
        Links links = new Links(new LinkedHashMap<>(), new LinkedHashMap<>());
        for (int peer : Peers.of(rank, p.ranks().size())) {
          links.data.put(peer, p.memoryChannel(rank, peer));
          links.ready.put(peer, p.memoryChannel(rank, peer));
        }
        all.add(links);
      }
      return all;
    }

    /** Tells all others that this rank is ready, and waits for them. */
    void meet() {
      ready.values().forEach(link -> link.signal(on(0).relaxed()));
      ready.values().forEach(link -> link.await(on(0).relaxed().syncAfter()));
    }
  }

  /** Out of place: one block sends, then copies the own chunk; another one receives. */
  static CollectiveProgram outOfPlace(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allToAll("alltoall_ring_oop_" + n, n).instances(16),
        p -> {
          List<Buffer> scratch = p.ranks().stream().map(r -> p.rank(r).scratch(n - 1)).toList();
          List<Links> links = Links.of(p);
          for (int rank : p.ranks()) {
            Buffer input = p.rank(rank).input();
            Buffer output = p.rank(rank).output();
            links.get(rank).meet();
            for (int peer : Peers.around(rank, n)) {
              MemoryChannel data = links.get(rank).data.get(peer);
              data.put(input.chunk(peer), scratch.get(peer).chunk(Peers.slot(rank, peer)), on(0));
              data.signal(on(0).syncBefore());
            }
            for (int peer : Peers.around(rank, n).reversed()) {
              links.get(rank).data.get(peer).await(on(1).syncAfter());
              p.rank(rank)
                  .copy(scratch.get(rank).chunk(Peers.slot(peer, rank)), output.chunk(peer), on(1));
            }
            p.rank(rank).copy(input.chunk(rank), output.chunk(rank), on(0));
          }
        });
  }

  /** In place: the receiving block waits until the sending one has read the chunk. */
  static CollectiveProgram twoBlocks(int n) {
    return CollectiveProgram.define(
        ProgramSpec.allToAll("alltoall_ring_peers_" + n, n).inPlace().instances(16),
        p -> {
          List<Buffer> scratch = p.ranks().stream().map(r -> p.rank(r).scratch(n - 1)).toList();
          List<Links> links = Links.of(p);
          for (int rank : p.ranks()) {
            links.get(rank).meet();
            for (int peer : Peers.around(rank, n)) {
              Semaphore sent = p.rank(rank).semaphore(0);
              MemoryChannel data = links.get(rank).data.get(peer);
              Chunk theirs = p.rank(rank).input().chunk(peer);
              data.put(theirs, scratch.get(peer).chunk(Peers.slot(rank, peer)), on(0));
              data.signal(on(0));
              sent.release(on(0));
              sent.acquire(on(1));
              data.await(on(1));
              p.rank(rank).copy(scratch.get(rank).chunk(Peers.slot(peer, rank)), theirs, on(1));
            }
          }
        });
  }
}
