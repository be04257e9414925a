import static dev.jcomms.jccl.dsl.On.on;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.Rank;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Protocol;

/*
 * 06 The DSL: an all-reduce of one's own, written down step by step, becomes a plan.
 *
 *   ./jcomms run examples/06-dsl/PacketAllReduce.java
 *
 * prints the ops of rank 0 of 4: send, sum and send, meet, take three times. `./jcomms plan compile` calls program(...) below and writes the
 * whole plan as JSON, in the format of MSCCL++.
 *
 * The idea: rank r owns shard r. Everybody sends each owner its shard; the owner sums and sends the
 * result to everybody. Data travels as packets, which carry their own flags, so that nobody signals
 * and nobody waits but for the data itself: the least latency there is, at twice the bytes.
 */
CollectiveProgram program(int ranks) {
  ProgramSpec spec =
      ProgramSpec.allReduce("packet_all_reduce_" + ranks, ranks)
          .inPlace()
          .protocol(Protocol.LL)
          .doubleScratch(); // the next launch must not overwrite packets that are still being read

  return CollectiveProgram.define(
      spec,
      p -> {
        // A channel from each rank to each other, and room for what arrives: one chunk of each
        // rank's shard, then one of each rank's sum. A buffer holds `ranks` shards, one chunk each.
        Mesh mesh = p.memoryMesh();
        List<Buffer> arrivals = new ArrayList<>();
        for (int r : p.ranks()) {
          arrivals.add(p.rank(r).scratch(2 * ranks));
        }

        // To each owner its shard. Ops on the same thread block happen in this order.
        mesh.forEach(
            link -> {
              Chunk theirs = p.rank(link.from()).input().chunk(link.to());
              link.putPackets(theirs, arrivals.get(link.to()).chunk(link.from()), on(0));
            });

        for (int r : p.ranks()) {
          Rank rank = p.rank(r);
          Chunk mine = rank.input().chunk(r);
          List<Integer> others = p.ranks().stream().filter(other -> other != r).toList();

          // The owner adds what has arrived to its own, and tells everybody. The compiler makes one
          // op of all this: the sum is sent from registers, not read back from memory.
          rank.reducePackets(
              mine, others.stream().map(other -> arrivals.get(r).chunk(other)).toList(), on(0));
          for (int other : others) {
            mesh.link(r, other).putPackets(mine, arrivals.get(other).chunk(ranks + r), on(0));
          }

          // The other sums come in. A block of its own for each could unpack them side by side.
          for (int other : others) {
            Chunk sum = arrivals.get(r).chunk(ranks + other);
            rank.unpackPackets(sum, rank.input().chunk(other), on(0));
          }
        }
      });
}

void main() {
  Plan plan = program(4).plan();
  List<Op> ops = plan.ranks().getFirst().blocks().getFirst().ops();
  for (int i = 0; i < ops.size(); i++) {
    IO.println("op " + i + ": " + ops.get(i).name());
  }
}
