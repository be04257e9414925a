package dev.jcomms.jccl.internal.algo.tcp;

import static dev.jcomms.jccl.internal.algo.tcp.Engines.assertMarked;
import static dev.jcomms.jccl.internal.algo.tcp.Engines.marked;
import static dev.jcomms.jccl.internal.algo.tcp.Engines.memory;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.tcp.TcpRanks;
import dev.jcomms.jccl.internal.transport.tcp.TcpRanks.Footprint;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large operations on several lanes at once. */
class LanesTest {
  private static final long LARGE = 1_500_007;

  @ParameterizedTest
  @CsvSource({"2,2", "3,3", "4,2"})
  void everyOperationGivesTheSameOnSeveralLanes(int n, int lanes) {
    Engines.run(
        n,
        Map.of("tcp.lanes", "" + lanes),
        seat -> {
          int me = seat.rank();
          assertThat(seat.place().fabric().lanes()).isEqualTo(lanes);
          for (DType dtype : List.of(DType.F32, DType.F16)) {
            Reckoning reckoning = new Reckoning(dtype, ReduceOp.SUM, n);
            Tensor sum = reckoning.input(me, 0, LARGE);
            seat.perform(new Collective.AllReduce(sum, sum, ReduceOp.SUM), "");
            reckoning.assertResult("", sum, 0);
            Tensor toOne = reckoning.input(me, 0, LARGE);
            seat.perform(new Collective.Reduce(toOne, n - 1, ReduceOp.SUM), "");
            if (me == n - 1) {
              reckoning.assertResult("", toOne, 0);
            }
            Tensor whole = reckoning.input(me, 0, n * LARGE);
            Tensor part = Tensor.zeros(dtype, Shape.of(LARGE));
            seat.perform(new Collective.ReduceScatterSingle(part, whole, ReduceOp.SUM), "");
            reckoning.assertResult("", part, me * LARGE);
          }
          Tensor root = me == 1 ? marked(1, 0, LARGE) : memory(LARGE, me);
          seat.perform(new Collective.Broadcast(root, 1), "");
          assertMarked("broadcast", root, 1, 0);
          gatherAndScatter(seat);
        });
  }

  private static void gatherAndScatter(Engines.Seat seat) {
    int me = seat.rank();
    int n = seat.size();
    List<Tensor> outputs = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      outputs.add(memory(LARGE * (r % 2), r));
    }
    Tensor uneven = marked(me, 0, LARGE * (me % 2));
    seat.perform(new Collective.AllGatherV(outputs, uneven), "");
    List<Tensor> inputs = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      assertMarked("all_gather_v", outputs.get(r), r, 0);
      inputs.add(marked(me, r, 300_001));
    }
    Tensor scattered = memory(300_001, me);
    seat.perform(new Collective.Scatter(scattered, inputs, 0), "");
    assertMarked("scatter", scattered, 0, me);
    Tensor gathered = memory(n * 300_001, 0);
    seat.perform(new Collective.GatherSingle(me == 0 ? gathered : null, scattered, 0), "");
    for (int r = 0; r < n && me == 0; r++) {
      assertMarked("gather", gathered.narrow(0, r * 300_001L, 300_001), 0, r);
    }
    Tensor in = memory(n * 300_001, 0);
    for (int r = 0; r < n; r++) {
      Engines.fill(in.narrow(0, r * 300_001L, 300_001), me, r);
    }
    Tensor out = memory(n * 300_001, 0);
    seat.perform(new Collective.AllToAllSingle(out, in), "");
    for (int r = 0; r < n; r++) {
      assertMarked("all_to_all", out.narrow(0, r * 300_001L, 300_001), r, me);
    }
  }

  @Test
  void oneOperationAfterTheOtherFindsTheLanesFree() {
    Engines.run(
        2,
        Map.of("tcp.lanes", "2"),
        seat -> {
          Tensor tensor = Tensor.zeros(Shape.of(1 << 18));
          for (int round = 0; round < 500; round++) {
            tensor.fill(round);
            seat.perform(new Collective.AllReduce(tensor, tensor, ReduceOp.SUM), "");
            assertThat(tensor.getFloat(0)).isEqualTo(2 * round);
            assertThat(tensor.getFloat((1 << 18) - 1)).isEqualTo(2 * round);
          }
        });
  }

  @Test
  void theRankWithTheFewestDecides() {
    TcpRanks.run(
        2,
        rank -> Map.of("tcp.lanes", "" + (4 - rank)),
        rank -> assertThat(rank.fabric().lanes()).isEqualTo(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "17", "-1", "many"})
  void aNumberOfLanesThatIsNoneIsRefused(String hint) {
    List<Throwable> outcomes = TcpRanks.outcomes(1, Map.of("tcp.lanes", hint), _ -> {});
    assertThat(outcomes.getFirst())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hint tcp.lanes=" + hint + " is not a number from 1 to 16");
  }

  @Test
  void trouble() {
    Map<String, String> three = Map.of("tcp.lanes", "3");
    Collective large = allReduce(LARGE);
    List<Throwable> differ =
        Engines.outcomes(2, three, seat -> seat.perform(allReduce(LARGE + seat.rank()), ""));
    assertThat(differ)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(CommMismatchException.class));

    List<Throwable> gone =
        Engines.outcomes(
            2,
            three,
            seat -> {
              seat.perform(allReduce(LARGE), "");
              if (seat.rank() == 1) {
                seat.place().fabric().close();
              } else {
                seat.perform(large, "");
              }
            });
    assertThat(gone.getFirst()).isInstanceOf(PeerLostException.class);

    List<Throwable> absent =
        Engines.outcomes(
            2,
            three,
            seat -> {
              if (seat.rank() == 0) {
                Deadline deadline = new Deadline(Duration.ofMillis(300), seat.place().alarm());
                seat.engine().perform(large, OpOptions.DEFAULT, deadline);
              }
            });
    assertThat(absent.getFirst()).isInstanceOf(CommTimeoutException.class);
    assertThat(((CommException) absent.getFirst()).missingRanks()).isEqualTo(Set.of(1));

    List<Throwable> interrupted =
        Engines.outcomes(
            2,
            three,
            seat -> {
              if (seat.rank() == 0) {
                Thread.currentThread().interrupt();
                seat.perform(large, "");
              }
            });
    assertThat(interrupted.getFirst()).hasMessageContaining("interrupted");
  }

  private static Collective allReduce(long elements) {
    Tensor tensor = Tensor.zeros(Shape.of(elements));
    return new Collective.AllReduce(tensor, tensor, ReduceOp.SUM);
  }

  @Test
  void closingEndsTheThreadsOfAllLanes() throws Exception {
    Footprint before = Footprint.now();
    Engines.run(2, Map.of("tcp.lanes", "3"), seat -> seat.perform(allReduce(LARGE), ""));
    before.assertNoMore();
  }
}
