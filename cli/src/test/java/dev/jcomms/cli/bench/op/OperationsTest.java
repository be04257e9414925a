package dev.jcomms.cli.bench.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class OperationsTest {
  static Stream<Operation> all() {
    return Operations.all().stream();
  }

  /** As PERFORMANCE.md of nccl-tests has them. */
  @ParameterizedTest
  @CsvSource({
    "all_reduce, 1.75",
    "broadcast, 1",
    "reduce, 1",
    "all_gather, 0.875",
    "reduce_scatter, 0.875",
    "all_to_all, 0.875",
    "gather, 0.875",
    "scatter, 0.875",
    "send_recv, 1",
    "barrier, 0"
  })
  void busFactorsOfEightRanksAreThoseOfNcclTests(String name, double factor) {
    assertThat(Operations.of(name).busFactor(8)).isEqualTo(factor, within(1e-12));
  }

  @Test
  void aSizeIsTheWholeOfWhatIsGatheredOrScattered() {
    for (String name : List.of("all_gather", "reduce_scatter", "all_to_all", "gather", "scatter")) {
      assertThat(Operations.of(name).elements(4096, DType.F32, 4)).as(name).isEqualTo(256);
    }
    for (String name : List.of("all_reduce", "broadcast", "reduce", "send_recv")) {
      assertThat(Operations.of(name).elements(4096, DType.F32, 4)).as(name).isEqualTo(1024);
    }
  }

  @Test
  void aSizeTooSmallForAllRanksBecomesOneElementEach() {
    assertThat(Operations.of("all_gather").elements(8, DType.F64, 3)).isEqualTo(1);
    assertThat(Operations.of("all_reduce").elements(1, DType.F32, 3)).isEqualTo(1);
  }

  @Test
  void namesAreFoundWithDashesTooAndAWrongOneListsThem() {
    assertThat(Operations.of("all-reduce").opName()).isEqualTo("all_reduce");
    assertThatThrownBy(() -> Operations.of("all_redcue"))
        .hasMessageContaining("no operation named 'all_redcue'; there are all_reduce, broadcast,");
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatARankSendsIsWhatTheNextReceives(Operation op) {
    for (int ranks : List.of(2, 3, 4, 7, 8)) {
      for (int root = 0; root < ranks; root++) {
        for (int rank = 0; rank < ranks; rank++) {
          Place here = new Place(rank, ranks, root);
          Place next = new Place(here.next(), ranks, root);
          assertThat(op.traffic(here, 8400).sends()).isEqualTo(op.traffic(next, 8400).receives());
        }
      }
    }
  }

  /** The bytes a network must carry at least are the bus factor's other meaning. */
  @ParameterizedTest
  @MethodSource("all")
  void theBusiestLinkCarriesTheBusFactorTimesTheSize(Operation op) {
    for (int ranks : List.of(2, 3, 4, 7, 8)) {
      if (op.busFactor(ranks) == 0) continue;
      long most = 0;
      for (int rank = 0; rank < ranks; rank++) {
        most = Math.max(most, op.traffic(new Place(rank, ranks, 1), 8400).sends());
      }
      assertThat((double) most).isEqualTo(8400 * op.busFactor(ranks), within(1e-6));
    }
  }

  @Test
  void anAllReduceReadsAndWritesTheWholeOnceOnEveryRank() {
    MemoryWork work =
        Operations.of("all_reduce").memoryWork(new Place(1, 4, 0), 4096, Form.IN_PLACE);
    assertThat(work).isEqualTo(new MemoryWork(1024, 4, 4, 0));
  }

  @Test
  void onlyWhatARankDoesNotHaveIsCopiedInPlace() {
    Operation gather = Operations.of("all_gather");
    Place place = new Place(0, 4, 0);
    assertThat(gather.memoryWork(place, 4096, Form.OUT_OF_PLACE).copyBytes()).isEqualTo(4096);
    assertThat(gather.memoryWork(place, 4096, Form.IN_PLACE).copyBytes()).isEqualTo(3072);
    assertThat(Operations.of("broadcast").memoryWork(place, 4096, Form.IN_PLACE).isNone()).isTrue();
  }
}
