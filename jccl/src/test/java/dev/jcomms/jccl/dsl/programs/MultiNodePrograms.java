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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Collectives over two nodes of {@code perNode} ranks: memory channels inside a node, port channels
 * between ranks of the same place on it.
 */
final class MultiNodePrograms {
  private MultiNodePrograms() {}

  static CollectiveProgram allGather(int perNode) {
    int n = 2 * perNode;
    return CollectiveProgram.define(
        ProgramSpec.allGather("mn_allgather_2x" + perNode, n).inPlace(),
        p -> {
          List<Mesh> nodes = nodes(p, perNode);
          List<PortChannel> ports = ports(p, perNode);
          nodes.forEach(mesh -> mesh.forEach(link -> link.signal(on(0).relaxed())));
          nodes.forEach(mesh -> mesh.forEach(link -> link.await(on(0).relaxed().syncAfter())));
          nodes.forEach(mesh -> mesh.forEach(link -> putOutput(p, link, link.from())));
          for (PortChannel port : ports) {
            int mine = port.from();
            port.signal(on(0));
            port.await(on(0));
            port.putWithSignalAndFlush(
                p.rank(mine).output().chunk(mine), p.rank(port.to()).output().chunk(mine), on(0));
            port.await(on(0).syncAfter());
          }
          nodes.forEach(
              mesh -> mesh.forEach(link -> putOutput(p, link, (link.from() + perNode) % n)));
          nodes.forEach(mesh -> mesh.forEach(link -> link.signal(on(0))));
          nodes.forEach(mesh -> mesh.forEach(link -> link.await(on(0))));
        });
  }

  private static void putOutput(ProgramBuilder p, MemoryChannel link, int chunk) {
    link.put(
        p.rank(link.from()).output().chunk(chunk), p.rank(link.to()).output().chunk(chunk), on(0));
  }

  static CollectiveProgram allGatherPackets(int perNode) {
    int n = 2 * perNode;
    return CollectiveProgram.define(
        ProgramSpec.allGather("mn_allgather_pkt_2x" + perNode, n)
            .inPlace()
            .protocol(LL)
            .doubleScratch(),
        p -> {
          List<Buffer> scratch = p.ranks().stream().map(rank -> p.rank(rank).scratch(n)).toList();
          List<Mesh> own = nodes(p, perNode);
          List<Mesh> others = nodes(p, perNode);
          for (int rank : p.ranks()) {
            int node = rank / perNode;
            int far = (rank + perNode) % n;
            Chunk mine = scratch.get(rank).chunk(rank);
            p.rank(rank).copyPackets(p.rank(rank).output().chunk(rank), mine, on(rank));
            for (MemoryChannel link : own.get(node).from(rank)) {
              link.forwardPackets(
                  mine, scratch.get(link.to()).chunk(rank), on(link.to() % perNode));
            }
            p.portChannel(rank, far)
                .forwardPackets(mine, scratch.get(far).chunk(rank), on(rank % perNode));
            for (MemoryChannel link : others.get(node).from(rank)) {
              link.forwardPackets(
                  scratch.get(rank).chunk(far),
                  scratch.get(link.to()).chunk(far),
                  on(link.to() % perNode));
            }
            for (int block = 1; block < n; block++) {
              int peer = (rank + block) % n;
              p.rank(rank)
                  .unpackPackets(
                      scratch.get(rank).chunk(peer), p.rank(rank).output().chunk(peer), on(block));
            }
          }
        });
  }

  static CollectiveProgram reduceScatter(int perNode) {
    int n = 2 * perNode;
    return CollectiveProgram.define(
        ProgramSpec.reduceScatter("mn_reducescatter_2x" + perNode, n).inPlace(),
        p -> {
          List<Mesh> nodes = nodes(p, perNode);
          List<PortChannel> ports = ports(p, perNode);
          List<Buffer> scratch = p.ranks().stream().map(rank -> p.rank(rank).scratch(1)).toList();
          nodes.forEach(mesh -> mesh.forEach(link -> link.signal(on(0).relaxed())));
          nodes.forEach(mesh -> mesh.forEach(link -> link.await(on(0).relaxed().syncAfter())));
          for (int rank : p.ranks()) {
            int far = (rank + perNode) % n;
            for (int chunk : List.of(rank, far)) {
              for (MemoryChannel link : nodes.get(rank / perNode).from(rank)) {
                link.reduce(
                    p.rank(rank).input().chunk(chunk),
                    List.of(p.rank(link.to()).input().chunk(chunk)),
                    on(0));
              }
            }
          }
          for (PortChannel port : ports) {
            port.signal(on(0));
            port.await(on(0));
            port.putWithSignal(
                p.rank(port.from()).input().chunk(port.to()), scratch.get(port.to()).all(), on(0));
            port.await(on(0).syncAfter());
          }
          for (int rank : p.ranks()) {
            p.rank(rank)
                .reduce(p.rank(rank).input().chunk(rank), List.of(scratch.get(rank).all()), on(0));
          }
          nodes.forEach(mesh -> mesh.forEach(link -> link.signal(on(0).relaxed())));
          nodes.forEach(mesh -> mesh.forEach(link -> link.await(on(0).relaxed().syncAfter())));
        });
  }

  static CollectiveProgram reduceScatterPackets(int perNode) {
    int n = 2 * perNode;
    return CollectiveProgram.define(
        ProgramSpec.reduceScatter("mn_reducescatter_pkt_2x" + perNode, n)
            .inPlace()
            .protocol(LL)
            .doubleScratch(),
        p -> {
          List<Mesh> nodes = nodes(p, perNode);
          List<PortChannel> ports = ports(p, perNode);
          List<Buffer> scratch = p.ranks().stream().map(rank -> p.rank(rank).scratch(n)).toList();
          for (Mesh node : nodes) {
            node.forEach(
                link -> {
                  int from = link.from() % perNode;
                  int to = link.to() % perNode;
                  Buffer input = p.rank(link.from()).input();
                  Buffer theirs = scratch.get(link.to());
                  link.putPackets(input.chunk(link.to()), theirs.chunk(from), on(0));
                  link.putPackets(
                      input.chunk((link.to() + perNode) % n),
                      theirs.chunk(perNode + Peers.slot(from, to)),
                      on(0));
                });
          }
          for (PortChannel port : ports) {
            Rank rank = p.rank(port.from());
            int place = port.from() % perNode;
            Buffer own = scratch.get(port.from());
            Chunk theirs = rank.input().chunk(port.to());
            for (int slot = 0; slot < perNode - 1; slot++) {
              rank.reducePackets(theirs, List.of(own.chunk(perNode + slot)), on(0));
            }
            rank.copyPackets(theirs, own.chunk(place), on(0));
            port.forwardPackets(own.chunk(place), scratch.get(port.to()).chunk(n - 1), on(0));
            List<Chunk> sums = new ArrayList<>(List.of(own.chunk(n - 1)));
            Peers.of(place, perNode).forEach(peer -> sums.add(own.chunk(peer)));
            rank.reducePackets(rank.input().chunk(port.from()), sums, on(0));
          }
        });
  }

  /** Sums inside the node, then between nodes, then the result back inside the node. */
  static CollectiveProgram defaultAllReduce(int n, int perNode, int blocks) {
    int nodes = n / perNode;
    return CollectiveProgram.define(
        ProgramSpec.allReduce("default_allreduce_%dx%d_tbg%d".formatted(n, perNode, blocks), n)
            .inPlace()
            .protocol(LL)
            .doubleScratch()
            .reuseResources(),
        p -> {
          // Shards as packets, shards of nodes, sums: each shard has as many chunks as nodes.
          int shard = nodes;
          On group = on(ThreadBlockGroup.range(1, blocks));
          int[] all = IntStream.rangeClosed(0, blocks).toArray();
          List<Buffer> shards = scratch(p, perNode * shard);
          List<Buffer> between = scratch(p, nodes * shard);
          List<Buffer> sums = scratch(p, perNode * shard);
          List<Mesh> meshes = nodes(p, perNode);
          for (int r : p.ranks()) {
            Rank rank = p.rank(r);
            int place = r % perNode;
            int node = r / perNode;
            Chunk mine = shard(rank.input(), place, shard);
            List<MemoryChannel> links = meshes.get(node).from(r);
            for (MemoryChannel link : links) {
              link.putPackets(
                  shard(rank.input(), link.to() % perNode, shard),
                  shard(shards.get(link.to()), place, shard),
                  group);
            }
            for (MemoryChannel link : links) {
              rank.reducePackets(
                  mine, List.of(shard(shards.get(r), link.to() % perNode, shard)), group);
            }
            rank.copyPackets(mine, shard(shards.get(r), place, shard), group);
            rank.barrier(all);
            for (int step = 1; step < nodes; step++) {
              int far = (r + step * perNode) % n;
              p.portChannel(r, far)
                  .putPackets(
                      shard(shards.get(r), place, shard),
                      shard(between.get(far), node, shard),
                      on(0));
            }
            for (int other : Peers.of(node, nodes)) {
              rank.reducePackets(mine, List.of(shard(between.get(r), other, shard)), group);
            }
            rank.copyPackets(mine, shard(between.get(r), node, shard), group);
            for (MemoryChannel link : links) {
              link.forwardPackets(
                  shard(between.get(r), node, shard),
                  shard(sums.get(link.to()), place, shard),
                  group);
            }
            for (MemoryChannel link : links) {
              int theirs = link.to() % perNode;
              rank.unpackPackets(
                  shard(sums.get(r), theirs, shard), shard(rank.input(), theirs, shard), group);
            }
          }
        });
  }

  /** To all of the own node, from the other node's rank of the own place, and on to the node. */
  static CollectiveProgram defaultAllGather(int perNode) {
    int n = 2 * perNode;
    return CollectiveProgram.define(
        ProgramSpec.allGather("default_allgather_%dx%d".formatted(n, perNode), n)
            .protocol(LL)
            .doubleScratch()
            .reuseResources()
            .minBytes(1 << 10)
            .maxBytes(8 << 20),
        p -> {
          int others = perNode - 1;
          List<Mesh> meshes = nodes(p, perNode);
          List<Buffer> near = scratch(p, others);
          List<Buffer> far = scratch(p, 1);
          List<Buffer> packed = scratch(p, 1);
          List<Buffer> forwarded = scratch(p, others);
          for (int r : p.ranks()) {
            Rank rank = p.rank(r);
            Chunk mine = rank.input().chunk(0);
            int twin = (r + perNode) % n;
            List<MemoryChannel> links = meshes.get(r / perNode).from(r);
            rank.copy(mine, rank.output().chunk(r), on(0));
            for (int i = 0; i < others; i++) {
              MemoryChannel link = links.get(i);
              int slot = Peers.slot(r % perNode, link.to() % perNode);
              link.putPackets(mine, near.get(link.to()).chunk(slot), on(i));
              rank.unpackPackets(
                  near.get(r).chunk(i), rank.output().chunk(link.to()), on(others + i));
            }
            int block = 2 * others;
            rank.copyPackets(mine, packed.get(r).all(), on(block));
            p.portChannel(r, twin)
                .forwardPackets(packed.get(r).all(), far.get(twin).all(), on(block));
            rank.unpackPackets(far.get(r).all(), rank.output().chunk(twin), on(block + 1));
            for (int i = 0; i < others; i++) {
              MemoryChannel link = links.get(i);
              int slot = Peers.slot(r % perNode, link.to() % perNode);
              link.forwardPackets(
                  far.get(r).all(), forwarded.get(link.to()).chunk(slot), on(block + 2 + i));
              rank.unpackPackets(
                  forwarded.get(r).chunk(i),
                  rank.output().chunk((link.to() + perNode) % n),
                  on(block + 2 + others + i));
            }
          }
        });
  }

  /** Sums inside the node of what each node's rank of a place needs, then between nodes. */
  static CollectiveProgram defaultReduceScatter(int n, int perNode, int blocks) {
    int nodes = n / perNode;
    int others = perNode - 1;
    return CollectiveProgram.define(
        ProgramSpec.reduceScatter(
                "default_reducescatter_%dx%d_tbg%d".formatted(n, perNode, blocks), n)
            .inPlace()
            .protocol(LL)
            .doubleScratch()
            .reuseResources()
            .noAutoSync()
            .minBytes(1 << 10)
            .maxBytes(8 << 20),
        p -> {
          List<Mesh> meshes = nodes(p, perNode);
          List<Buffer> shards = scratch(p, others * nodes);
          List<Buffer> sums = scratch(p, nodes);
          List<Buffer> between = scratch(p, nodes - 1);
          int senders = others * nodes;
          On all = on(ThreadBlockGroup.range(0, senders + nodes * blocks));
          for (int r : p.ranks()) {
            Rank rank = p.rank(r);
            int place = r % perNode;
            int own = r / perNode;
            List<MemoryChannel> links = meshes.get(own).from(r);
            for (int node = 0; node < nodes; node++) {
              for (int i = 0; i < others; i++) {
                int theirs = links.get(i).to() % perNode;
                links
                    .get(i)
                    .putPackets(
                        rank.input().chunk(node * perNode + theirs),
                        shards
                            .get(links.get(i).to())
                            .chunk(node * others + Peers.slot(place, theirs)),
                        on(node * others + i));
              }
            }
            for (int node = 0; node < nodes; node++) {
              On group = on(ThreadBlockGroup.range(senders + node * blocks, blocks));
              Chunk sum = rank.input().chunk(node * perNode + place);
              rank.reducePackets(sum, packets(shards.get(r), node * others, others), group);
              if (nodes > 1) {
                rank.copyPackets(sum, sums.get(r).chunk(node), group);
              }
              if (node != own) {
                int far = node * perNode + place;
                p.portChannel(r, far)
                    .forwardPackets(
                        sums.get(r).chunk(node),
                        between.get(far).chunk(Peers.slot(own, node)),
                        group);
              }
            }
            if (nodes > 1) {
              Chunk mine = rank.input().chunk(r);
              rank.unpackPackets(sums.get(r).chunk(own), mine, all);
              rank.reducePackets(mine, packets(between.get(r), 0, nodes - 1), all);
            }
          }
        });
  }

  private static List<Chunk> packets(Buffer buffer, int first, int count) {
    return IntStream.range(first, first + count).mapToObj(buffer::chunk).toList();
  }

  private static Chunk shard(Buffer buffer, int index, int chunks) {
    return buffer.slice(index * chunks, (index + 1) * chunks);
  }

  private static List<Buffer> scratch(ProgramBuilder p, int chunks) {
    return p.ranks().stream().map(rank -> p.rank(rank).scratch(chunks)).toList();
  }

  private static List<Mesh> nodes(ProgramBuilder p, int perNode) {
    List<Mesh> meshes = new ArrayList<>();
    for (int first = 0; first < p.ranks().size(); first += perNode) {
      meshes.add(p.memoryMesh(p.ranks().subList(first, first + perNode)));
    }
    return meshes;
  }

  private static List<PortChannel> ports(ProgramBuilder p, int perNode) {
    int n = p.ranks().size();
    return p.ranks().stream().map(r -> p.portChannel(r, (r + perNode) % n)).toList();
  }
}
