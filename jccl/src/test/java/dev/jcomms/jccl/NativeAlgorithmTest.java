package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Algorithms compiled from Java source at run time. */
final class NativeAlgorithmTest {
  private static final Path EXAMPLE =
      Path.of("../examples/07-algorithms/native/CustomizedAllGather.java");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void theCustomizedAllGatherRunsLikeAnyOther(int n) throws IOException {
    Algorithm compiled = NativeAlgorithm.compile(EXAMPLE);
    Jccl jccl =
        Jccl.with(AlgorithmCollection.defaults().with(compiled))
            .selector(Selector.of("all_gather", "customized"));
    for (String transport : new String[] {"local", "shm", "tcp"}) {
      // Over TCP it is infeasible, and jccl's own takes its place.
      FaceRanks.run(
          n,
          jccl,
          Map.of("transport", transport),
          comm -> {
            Tensor all = Tensor.zeros(Shape.of(3L * n));
            for (int i = 0; i < 3; i++) {
              comm.allGatherSingle(all, Tensor.full(Shape.of(3), comm.rank() + i));
              for (int r = 0; r < n; r++) {
                assertThat(all.getFloat(3L * r + 2)).isEqualTo(r + i);
              }
            }
          });
    }
  }

  @Test
  void equalSourcesAreOneDigestAndEachHasItsClassLoader() throws IOException {
    NativeAlgorithm first = NativeAlgorithm.compile(EXAMPLE);
    NativeAlgorithm second = NativeAlgorithm.compile(EXAMPLE);
    assertThat(first.digest()).isEqualTo(second.digest()).hasSize(64);
    Path changed = folder.resolve("CustomizedAllGather.java");
    Files.writeString(changed, Files.readString(EXAMPLE).replace("customized\"", "changed\""));
    NativeAlgorithm third = NativeAlgorithm.compile(changed);
    assertThat(third.digest()).isNotEqualTo(first.digest());
    assertThat(third.name()).isEqualTo("changed");
    assertThat(first.name()).isEqualTo("customized");
    assertThat(third.maxBytes()).isEqualTo(1 << 20);
  }

  @Test
  void whatDoesNotCompileIsToldWithItsLine() throws IOException {
    Path broken = folder.resolve("Broken.java");
    Files.writeString(
        broken,
        """
        public final class Broken implements dev.jcomms.jccl.Algorithm {
          public String name() { return 7; }
        }
        """);
    assertThatThrownBy(() -> NativeAlgorithm.compile(broken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Broken.java does not compile:")
        .hasMessageContaining("Broken.java:2: incompatible types: int cannot be converted");
  }

  @Test
  void aFileMustHaveOneAlgorithm() throws IOException {
    Path none = folder.resolve("None.java");
    Files.writeString(none, "public final class None {}\n");
    assertThatThrownBy(() -> NativeAlgorithm.compile(none))
        .hasMessage(
            "None.java: one class is to implement dev.jcomms.jccl.Algorithm; there are none");
    assertThatThrownBy(() -> NativeAlgorithm.compile(folder.resolve("kernel.cu")))
        .hasMessage("kernel.cu: native algorithms are compiled from .java files");
    assertThatThrownBy(() -> NativeAlgorithm.compile(folder.resolve("Absent.java")))
        .isInstanceOf(IOException.class);
  }
}
