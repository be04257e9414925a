package dev.jcomms.jccl.internal.algo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.OpOptions;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule.Measure;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.internal.algo.host.HostSelector.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the shipped table has a host's ranks take, against the limits as they were measured. */
final class HostSelectorTest {
  private static final long NEVER = Long.MAX_VALUE;
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  /** Bytes done at once by two ranks; from where on seen and pulled tensors are worth having. */
  private record Cuts(long flat, long seen, long pulled) {}

  private static final Map<Kind, Cuts> MEASURED =
      Map.of(
          Kind.REDUCE, new Cuts(12 << 10, 0, 4 << 20),
          Kind.REDUCE_SCATTER, new Cuts(6 << 10, 0, 256 << 10),
          Kind.GATHER, new Cuts(3584, 0, 256 << 10),
          Kind.EXCHANGE, new Cuts(4 << 10, 0, 16 << 10),
          Kind.FROM_ROOT, new Cuts(16 << 10, 0, NEVER));

  /** Where more ranks do fewer bytes each at once. */
  private static final Set<Kind> TOGETHER = Set.of(Kind.REDUCE, Kind.REDUCE_SCATTER, Kind.EXCHANGE);

  private static HostSelector expected(Kind kind, long bytes, int ranks, Reach.Way way) {
    Cuts cuts = MEASURED.get(kind);
    long flat = TOGETHER.contains(kind) ? 2 * cuts.flat / ranks : cuts.flat;
    if (bytes >= 0 && bytes <= flat) {
      return HostSelector.FLAT;
    }
    boolean direct =
        switch (way) {
          case MAPPED -> true;
          case SEEN -> bytes >= cuts.seen;
          case READABLE -> !ARM && bytes >= cuts.pulled;
          case NONE -> false;
        };
    return direct ? HostSelector.DIRECT : HostSelector.STAGED;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everySizeGetsWhatWasMeasuredForIt(Kind kind) {
    for (int ranks : List.of(1, 2, 3, 4, 5, 7, 8, 16, 31, 64, 1000, 30_000)) {
      for (long bytes : sizes(ranks)) {
        for (Reach.Way way : Reach.Way.values()) {
          assertThat(
                  HostSelector.select(kind, OpOptions.DEFAULT, bytes, ranks, 512 << 10, () -> way))
              .as("%s of %d bytes, %d ranks, %s", kind, bytes, ranks, way)
              .isEqualTo(expected(kind, bytes, ranks, way));
        }
      }
    }
  }

  /** All cuts, one byte beside them, and the ends. */
  private static TreeSet<Long> sizes(int ranks) {
    TreeSet<Long> sizes = new TreeSet<>(List.of(-1L, 0L, 1L, 1L << 40, NEVER - 1));
    for (Cuts cuts : MEASURED.values()) {
      for (long cut : List.of(cuts.flat, 2 * cuts.flat / ranks, cuts.seen, cuts.pulled)) {
        sizes.addAll(List.of(cut - 1, cut, cut == NEVER ? cut - 1 : cut + 1));
      }
    }
    for (int power = 0; power < 40; power++) {
      sizes.addAll(List.of((1L << power) - 1, 1L << power, 3L << power));
    }
    sizes.removeIf(size -> size < -1 || size == NEVER);
    return sizes;
  }

  @ParameterizedTest
  @CsvSource({
    "all_reduce,BUFFER,4194304",
    "reduce_scatter,SECTION,262144",
    "all_gather,SECTION,262144",
    "all_to_all,SECTION,16384"
  })
  void nothingIsPulledOnAarch64(String collective, Measure measure, long elsewhere) {
    TuningTable table = TuningTable.defaults();
    assertThat(HostLimits.of(table, Transport.SHM, collective, measure, "amd64").pulledBytes())
        .isEqualTo(elsewhere);
    assertThat(HostLimits.of(table, Transport.SHM, collective, measure, "aarch64").pulledBytes())
        .isEqualTo(NEVER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'algorithm':'ring'}",
        "{'algorithm':'direct','memory':'mapped'}",
        "{'algorithm':'flat','max_bytes':9,'max_ranks':2},{'algorithm':'direct'}",
        "{'algorithm':'flat','of':'section','max_bytes':9},{'algorithm':'direct'}",
        "{'algorithm':'direct','max_bytes':9},{'algorithm':'staged'}",
        "{'algorithm':'staged'}",
      })
  void rowsThatNoHostCanFollowAreAnError(String rows) {
    String table =
        "{'version':2,'profiles':[],'rules':[{'transports':['shm'],'collectives':['all_reduce'],"
            + "'take':[%s]}]}";
    TuningTable parsed = TuningTable.parse(table.formatted(rows).replace('\'', '"'));
    assertThatThrownBy(
            () -> HostLimits.of(parsed, Transport.SHM, "all_reduce", Measure.BUFFER, "amd64"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all_reduce");
  }

  @Test
  void whatIsNamedIsWhatHostsHave() {
    for (String collective : AlgorithmCollection.collectives()) {
      TreeSet<String> listed = new TreeSet<>();
      AlgorithmCollection.defaults().of(collective).stream()
          .filter(algorithm -> algorithm.tags().containsKey("host"))
          .forEach(algorithm -> listed.add(algorithm.name()));
      TreeSet<String> named = new TreeSet<>();
      TuningTable.defaults()
          .rows(Transport.SHM, collective)
          .forEach(row -> named.add(row.choice().toString()));
      assertThat(named).as(collective).isEqualTo(listed);
    }
  }
}
