package dev.jcomms.cli.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonReportTest {
  @Test
  void theDocumentHasTheShapeThatProgramsReadIt() {
    byte[] json =
        JsonReport.of(Samples.MACHINE, Map.of("openmpi", "4.1"), List.of(Samples.allReduce()));
    Map<?, ?> document = (Map<?, ?>) Codecs.JSON.decode(json);
    assertThat(((Map<?, ?>) document.get("machine")).get("cpu")).isEqualTo(Samples.MACHINE.cpu());
    List<?> results = (List<?>) document.get("results");
    assertThat(results).hasSize(4);
    Map<?, ?> first = (Map<?, ?>) results.getFirst();
    assertThat(first.keySet().stream().map(String.class::cast))
        .contains("op", "bytes", "dtype", "redop", "ranks", "transport", "symmetric", "in_place")
        .contains("iterations", "time_us", "algbw_gbps", "busbw_gbps", "wrong", "peers", "limit");
    assertThat(first.get("op")).isEqualTo("all_reduce");
    assertThat(first.get("bytes")).isEqualTo(8L);
    assertThat(first.get("dtype")).isEqualTo("f32");
    assertThat(first.get("redop")).isEqualTo("sum");
    assertThat(first.get("ranks")).isEqualTo(4L);
    assertThat(first.get("transport")).isEqualTo("shm");
    assertThat(first.get("algorithm")).isEqualTo("ring");
    assertThat(first.get("symmetric")).isEqualTo(false);
    assertThat(first.get("in_place")).isEqualTo(false);
    assertThat(first.get("iterations")).isEqualTo(100L);
    assertThat(first.get("algbw_gbps")).isEqualTo(0.001);
    assertThat(first.get("busbw_gbps")).isEqualTo(0.0015);
    assertThat(first.get("wrong")).isEqualTo(0L);
    assertThat(first.get("time_us"))
        .isEqualTo(Map.of("avg", 8.0, "min", 4.0, "p50", 8.0, "p99", 32.0));
    Map<?, ?> peers = (Map<?, ?>) first.get("peers");
    assertThat(peers.keySet().stream().map(String.class::cast)).containsExactly("openmpi", "gloo");
    Map<?, ?> openmpi = (Map<?, ?>) peers.get("openmpi");
    assertThat(((Map<?, ?>) openmpi.get("time_us")).get("avg")).isEqualTo(16.0);
    assertThat(((Map<?, ?>) first.get("limit")).get("fraction")).isEqualTo(0.25);
  }
}
