package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;
import static dev.jcomms.jccl.plan.Protocol.LL;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.MemoryChannel;
import dev.jcomms.jccl.dsl.On;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.ThreadBlockGroup;
import java.util.ArrayList;
import java.util.List;

/** Programs in which two ranks do the same in different ways: they are there to test executors. */
final class ExecutorPrograms {
  private ExecutorPrograms() {}

  static CollectiveProgram reduce() {
    return reduce("reduce", on(0), 1);
  }

  /** Racy: blocks meet their twin only, but the slices of 2 chunks and of 1 are not the same. */
  static CollectiveProgram racyReduce() {
    return reduce("reduce_tbg", on(ThreadBlockGroup.of(0, 1)), 2);
  }

  private static CollectiveProgram reduce(String name, On all, int blocks) {
    return CollectiveProgram.define(
        ProgramSpec.allReduce(name, 2).chunkFactor(2).inPlace(),
        p -> {
          Buffer input0 = p.rank(0).input();
          Buffer input1 = p.rank(1).input();
          Buffer scratch0 = p.rank(0).scratch(4);
          Buffer scratch1 = p.rank(1).scratch(4);
          List<MemoryChannel> from0 = new ArrayList<>();
          List<MemoryChannel> from1 = new ArrayList<>();
          for (int block = 0; block < blocks; block++) {
            from0.add(p.memoryChannel(0, 1));
            from1.add(p.memoryChannel(1, 0));
          }
          Runnable meet =
              () -> {
                for (int block = 0; block < blocks; block++) {
                  from0.get(block).signal(on(block));
                  from1.get(block).signal(on(block));
                  from0.get(block).await(on(block));
                  from1.get(block).await(on(block));
                }
              };
          p.rank(0).copy(input0.slice(2, 4), scratch0.slice(2, 4), all);
          p.rank(1).copy(input1.slice(0, 2), scratch1.slice(0, 2), all);
          meet.run();

          MemoryChannel to1 = from0.getFirst();
          to1.reduce(input0.chunk(0), List.of(scratch1.chunk(0)), all);
          to1.put(input0.chunk(0), input1.chunk(0), all);
          to1.get(scratch1.chunk(1), scratch0.chunk(1), all);
          p.rank(0).reduce(input0.chunk(1), List.of(scratch0.chunk(1)), all);
          to1.put(input0.chunk(1), input1.chunk(1), all);

          MemoryChannel to0 = from1.getFirst();
          to0.reduce(input1.slice(2, 4), List.of(input0.slice(2, 4)), all);
          p.rank(1).copy(input1.slice(2, 4), scratch1.slice(2, 4), all);
          to0.put(scratch1.slice(2, 4), input0.slice(2, 4), all);
          meet.run();
        });
  }

  static CollectiveProgram reducePackets() {
    return CollectiveProgram.define(
        ProgramSpec.allReduce("reduce_pack", 2).inPlace().protocol(LL).doubleScratch(),
        p -> {
          Buffer input0 = p.rank(0).input();
          Buffer input1 = p.rank(1).input();
          Buffer scratch0 = p.rank(0).scratch(3);
          Buffer scratch1 = p.rank(1).scratch(3);
          MemoryChannel to1 = p.memoryChannel(0, 1);
          MemoryChannel to0 = p.memoryChannel(1, 0);

          to1.putPackets(input0.chunk(1), scratch1.chunk(1), on(0));
          p.rank(0).reducePackets(input0.chunk(0), List.of(scratch0.chunk(0)), on(1));
          to1.putPackets(input0.chunk(0), scratch1.chunk(0), on(1));
          p.rank(0).unpackPackets(scratch0.chunk(1), input0.chunk(1), on(2));

          to0.putPackets(input1.chunk(0), scratch0.chunk(0), on(0));
          p.rank(1).reducePackets(input1.chunk(1), List.of(scratch1.chunk(1)), on(1));
          p.rank(1).copyPackets(input1.chunk(1), scratch1.chunk(2), on(1));
          to0.forwardPackets(scratch1.chunk(2), scratch0.chunk(1), on(1));
          p.rank(1).unpackPackets(scratch1.chunk(0), input1.chunk(0), on(2));
        });
  }

  static CollectiveProgram transferPackets() {
    return CollectiveProgram.define(
        ProgramSpec.allGather("transfer_pack", 2).inPlace().protocol(LL).doubleScratch(),
        p -> {
          Buffer output0 = p.rank(0).output();
          Buffer output1 = p.rank(1).output();
          Buffer scratch0 = p.rank(0).scratch(2);
          Buffer scratch1 = p.rank(1).scratch(2);

          p.memoryChannel(0, 1).putPackets(output0.chunk(0), scratch1.chunk(0), on(0));
          p.rank(0).unpackPackets(scratch0.chunk(1), output0.chunk(1), on(1));

          p.rank(1).copyPackets(output1.chunk(1), scratch1.chunk(1), on(0));
          p.memoryChannel(1, 0).forwardPackets(scratch1.chunk(1), scratch0.chunk(1), on(1));
          p.rank(1).unpackPackets(scratch1.chunk(0), output1.chunk(0), on(2));
        });
  }
}
