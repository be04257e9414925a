package dev.jcomms.jccl;

import static dev.jcomms.jccl.dsl.On.on;

import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Protocol;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Algorithms as a user would write them. */
public final class Sample {
  private Sample() {}

  /** All-gather around a ring, by messages; counts how often it ran. */
  static Algorithm ringAllGather(AtomicInteger runs) {
    return Algorithms.of(
        "all_gather",
        "my_ring",
        "Sections go around a ring.",
        setup -> {
          int n = setup.size();
          int me = setup.rank();
          return Algorithm.Preparation.ready(
              task -> {
                runs.incrementAndGet();
                task.output(me).copyFrom(task.input());
                for (int step = 0; step < n - 1; step++) {
                  int give = Math.floorMod(me - step, n);
                  int take = Math.floorMod(give - 1, n);
                  setup.sendRecv(
                      task.output(give), (me + 1) % n, task.output(take), (me + n - 1) % n);
                }
              });
        });
  }

  /** All-reduce by sending everything to everybody; counts how often it ran. */
  static Algorithm naiveAllReduce(AtomicInteger runs) {
    return new NaiveAllReduce(runs, Algorithm.BufferMode.ANY);
  }

  record NaiveAllReduce(AtomicInteger runs, BufferMode bufferMode) implements Algorithm {
    @Override
    public String name() {
      return "naive";
    }

    @Override
    public String collective() {
      return "all_reduce";
    }

    @Override
    public String description() {
      return "Everybody sends everything to everybody.";
    }

    @Override
    public Preparation prepare(Setup setup) {
      return Preparation.ready(
          task -> {
            runs.incrementAndGet();
            List<Tensor> all = new ArrayList<>();
            for (int r = 0; r < setup.size(); r++) {
              all.add(Tensor.zeros(task.input().dtype(), Shape.of(task.input().elements())));
            }
            all.get(setup.rank()).copyFrom(task.input());
            for (int step = 1; step < setup.size(); step++) {
              int to = (setup.rank() + step) % setup.size();
              int from = Math.floorMod(setup.rank() - step, setup.size());
              setup.sendRecv(task.input(), to, all.get(from), from);
            }
            setup.reduce(task.output(), all, task.op());
          });
    }
  }

  /** One-shot all-reduce by packets: everybody gets everything. */
  public static Plan packets(int ranks) {
    ProgramSpec spec =
        ProgramSpec.allReduce("packets-" + ranks, ranks)
            .inPlace()
            .protocol(Protocol.LL)
            .doubleScratch();
    return CollectiveProgram.define(
            spec,
            p -> {
              Mesh mesh = p.memoryMesh();
              List<Buffer> arrivals = new ArrayList<>();
              p.ranks().forEach(r -> arrivals.add(p.rank(r).scratch(2 * ranks)));
              mesh.forEach(
                  link ->
                      link.putPackets(
                          p.rank(link.from()).input().chunk(link.to()),
                          arrivals.get(link.to()).chunk(link.from()),
                          on(0)));
              for (int r : p.ranks()) {
                List<Integer> others = p.ranks().stream().filter(other -> other != r).toList();
                p.rank(r)
                    .reducePackets(
                        p.rank(r).input().chunk(r),
                        others.stream().map(other -> arrivals.get(r).chunk(other)).toList(),
                        on(0));
                for (int other : others) {
                  mesh.link(r, other)
                      .putPackets(
                          p.rank(r).input().chunk(r), arrivals.get(other).chunk(ranks + r), on(0));
                }
                for (int other : others) {
                  p.rank(r)
                      .unpackPackets(
                          arrivals.get(r).chunk(ranks + other),
                          p.rank(r).input().chunk(other),
                          on(0));
                }
              }
            })
        .plan();
  }
}
