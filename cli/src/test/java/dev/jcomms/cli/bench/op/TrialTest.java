package dev.jcomms.cli.bench.op;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.World;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference backend is right: every trial on it must find nothing wrong. */
final class TrialTest {
  static Stream<Operation> all() {
    return Operations.all().stream();
  }

  @ParameterizedTest
  @MethodSource("all")
  void aRightBackendHasNothingWrong(Operation op) {
    for (int ranks : List.of(1, 2, 3, 4)) {
      if (ranks < op.leastRanks()) continue;
      World.of(ranks)
          .backend("reference")
          .run(
              comm -> {
                for (Form form : op.forms()) {
                  Trial trial = trial(comm, op, form, DType.F32, ReduceOp.SUM);
                  assertThat(afterOne(comm, trial)).as("%s %s n=%d", op, form, ranks).isZero();
                }
              });
    }
  }

  @Test
  void everyDtypeAndReduceOpIsExact() {
    for (int ranks : List.of(2, 3, 8)) {
      World.of(ranks)
          .backend("reference")
          .run(
              comm -> {
                for (DType dtype : DType.values()) {
                  for (ReduceOp redop : ReduceOp.Standard.values()) {
                    Operation op = Operations.of("all_reduce");
                    if (!op.accepts(dtype, redop)) continue;
                    Trial trial = trial(comm, op, Form.OUT_OF_PLACE, dtype, redop);
                    assertThat(afterOne(comm, trial))
                        .as("%s of %s, n=%d", redop, dtype, ranks)
                        .isZero();
                  }
                }
              });
    }
  }

  @Test
  void everyDtypeSurvivesBeingMoved() {
    World.of(3)
        .backend("reference")
        .run(
            comm -> {
              for (DType dtype : DType.values()) {
                Operation op = Operations.of("all_to_all");
                Trial trial = trial(comm, op, Form.OUT_OF_PLACE, dtype, ReduceOp.SUM);
                assertThat(afterOne(comm, trial)).as(dtype.toString()).isZero();
              }
            });
  }

  @Test
  void oneWrongElementIsCounted() {
    World.of(2)
        .backend("reference")
        .run(
            comm -> {
              Trial trial =
                  trial(comm, new AllReduce(), Form.OUT_OF_PLACE, DType.F32, ReduceOp.SUM);
              afterOne(comm, trial);
              Tensor output = trial.op().outputs().getFirst();
              output.setFloat(output.getFloat(17) + 1, 17);
              assertThat(trial.wrong()).isEqualTo(1);
            });
  }

  @Test
  void anInputThatWasWrittenToIsCounted() {
    World.of(2)
        .backend("reference")
        .run(
            comm -> {
              Trial trial =
                  trial(comm, new AllGather(), Form.OUT_OF_PLACE, DType.I32, ReduceOp.SUM);
              afterOne(comm, trial);
              trial.op().inputs().getFirst().setInt(-1, 3);
              assertThat(trial.wrong()).isEqualTo(1);
            });
  }

  @ParameterizedTest
  @MethodSource("all")
  void inPlaceTheOtherSectionsOfAnInputCountToo(Operation op) {
    if (!(op instanceof Scatter || op instanceof ReduceScatter)) return;
    World.of(2)
        .backend("reference")
        .run(
            comm -> {
              Trial trial = trial(comm, op, Form.IN_PLACE, DType.I32, ReduceOp.SUM);
              assertThat(afterOne(comm, trial)).isZero();
              boolean reads = !trial.given().isEmpty();
              if (reads) trial.given().get(1 - comm.rank()).tensor().setInt(-1, 3);
              assertThat(trial.wrong()).isEqualTo(reads ? 1 : 0);
            });
  }

  @Test
  void aBackendThatMovesNothingIsFoundOutInEveryForm() {
    for (Operation op : Operations.all()) {
      if (!op.moves()) continue;
      for (Form form : op.forms()) {
        for (DType dtype : List.of(DType.F32, DType.I8, DType.BOOL)) {
          for (ReduceOp redop : ReduceOp.Standard.values()) {
            if (!op.accepts(dtype, redop)) continue;
            List<Long> wrong =
                World.of(2)
                    .backend("fake")
                    .compute(comm -> afterOne(comm, trial(comm, op, form, dtype, redop)));
            assertThat(wrong.stream().mapToLong(count -> count).sum())
                .as("%s %s of %s, %s", op.opName(), redop, dtype, form)
                .isPositive();
          }
        }
      }
    }
  }

  /** As many ranks as there are different numbers: every sum of them could be the same. */
  @Test
  void reductionsDependOnThePosition() {
    for (DType dtype : List.of(DType.BOOL, DType.I8, DType.F32)) {
      for (ReduceOp redop : ReduceOp.Standard.values()) {
        if (!redop.accepts(dtype)) continue;
        for (int ranks : List.of(2, 3, 11)) {
          long[] some = new long[20_000];
          new Values(dtype, redop, ranks, true).reduced(0).read(0, some, some.length);
          if (dtype == DType.BOOL) some = Arrays.stream(some).map(v -> Math.min(v, 1)).toArray();
          assertThat(Arrays.stream(some).distinct().count())
              .as("%s of %s, n=%d", redop, dtype, ranks)
              .isGreaterThan(1);
        }
      }
    }
  }

  private static Trial trial(Comm comm, Operation op, Form form, DType dtype, ReduceOp redop) {
    long elements = 1001;
    int ranks = comm.size();
    Room room = op.room(ranks);
    Values values = new Values(dtype, redop, ranks, op.reduces());
    return op.trial(
        new Scene(
            new Place(comm.rank(), ranks, ranks - 1),
            redop,
            elements,
            Tensor.zeros(dtype, Shape.of(elements * room.send())),
            Tensor.zeros(dtype, Shape.of(elements * room.recv())),
            values),
        form);
  }

  private static long afterOne(Comm comm, Trial trial) {
    trial.fill();
    comm.run(trial.op(), OpOptions.DEFAULT);
    return trial.wrong();
  }

  @Test
  void valuesTellRankAndPositionApart() {
    Values values = new Values(DType.F32, ReduceOp.SUM, 4, true);
    List<List<Long>> seen = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      for (long position : List.of(0L, 1L, 2L, 1024L, 65536L)) {
        long[] some = new long[8];
        values.of(rank, position).read(0, some, 8);
        seen.add(Stream.of(some).flatMap(a -> Arrays.stream(a).boxed()).toList());
      }
    }
    assertThat(seen).doesNotHaveDuplicates();
  }
}
