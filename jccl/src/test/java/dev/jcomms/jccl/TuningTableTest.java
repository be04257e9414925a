package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningTable.Entry;
import dev.jcomms.jccl.TuningTable.Hardware;
import dev.jcomms.jccl.TuningTable.Profile;
import dev.jcomms.jccl.internal.JcclProvider;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables are read, matched and refused; what they say is done. */
final class TuningTableTest {
  private static final Hardware HERE =
      new Hardware(
          Proc.processor(),
          Runtime.getRuntime().availableProcessors(),
          "0.1.0",
          2,
          2,
          Transport.LOCAL);

  @TempDir private Path folder;

  private static Profile profile(Hardware hardware, Entry... entries) {
    return new Profile(hardware, Map.of("all_reduce", List.of(entries)));
  }

  private static Entry entry(long bytes, String choice) {
    return new Entry(bytes, Choice.parse(choice), 1, 2);
  }

  private static TuningTable table(Hardware hardware, Entry... entries) {
    return new TuningTable(List.of(profile(hardware, entries)));
  }

  @Test
  void theTextSaysAllOfIt() {
    TuningTable table = table(HERE, entry(1024, "flat"), entry(4096, "mine:lanes=2"));
    assertThat(TuningTable.parse(table.toJson())).isEqualTo(table);
    assertThat(table.toJson())
        .contains("{\"message_size\":1024,\"algorithm\":\"flat\",\"time_us\":1.0,\"auto_us\":2.0}")
        .contains("\"scale\": 2, \"ranks_per_host\": 2, \"transport\": \"local\"");
  }

  @Test
  void theNearestSizeDecidesAndFarSizesAreLeftAlone() {
    Profile profile = profile(HERE, entry(1 << 20, "direct"), entry(1024, "flat"));
    assertThat(profile.select(request(1024))).contains(Choice.of("flat"));
    assertThat(profile.select(request(30_000))).contains(Choice.of("flat"));
    assertThat(profile.select(request(40_000))).contains(Choice.of("direct"));
    assertThat(profile.select(request(2 << 20))).contains(Choice.of("direct"));
    assertThat(profile.select(request(8))).isEmpty();
    assertThat(profile.select(request(16 << 20))).isEmpty();
  }

  private static Selector.Request request(long bytes) {
    return new Selector.Request(
        "all_reduce", bytes, DType.F32, ReduceOp.SUM, 2, 2, Transport.LOCAL, false);
  }

  @Test
  void whatIsNoTableIsToldWithItsPlace() {
    assertThatThrownBy(() -> TuningTable.parse("{")).hasMessageStartingWith("no tuning table");
    assertThatThrownBy(() -> TuningTable.parse("[]")).hasMessage("the text: an object, not []");
    assertThatThrownBy(() -> TuningTable.parse("{\"version\":2,\"profiles\":[]}"))
        .hasMessage("version: 2; this is a reader of version 1");
    assertThatThrownBy(() -> TuningTable.parse("{\"version\":1,\"profiles\":[{\"sku\":7}]}"))
        .hasMessage("profiles[0].sku: text, not 7");
  }

  @Test
  void aTableOfThisMachineIsUsed() throws IOException {
    Path file = folder.resolve("tuning.json");
    AtomicInteger runs = new AtomicInteger();
    Jccl jccl = Jccl.with(AlgorithmCollection.defaults().with(Sample.naiveAllReduce(runs)));
    Files.writeString(file, table(HERE, entry(1024, "naive"), entry(65536, "auto")).toJson());
    for (boolean byHint : new boolean[] {true, false}) {
      runs.set(0);
      FaceRanks.run(
          2,
          byHint ? jccl : jccl.tuning(TuningTable.read(file)),
          byHint ? Map.of("tuning", file.toString()) : Map.of(),
          comm -> {
            for (long elements : List.of(256, 300, 16384)) {
              Tensor x = Tensor.ones(Shape.of(elements));
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.getFloat(elements - 1)).isEqualTo(2);
            }
          });
      assertThat(runs).hasValue(2 * 2);
    }
  }

  @Test
  void aForeignOrStaleTableIsRefusedOnAllRanks() throws IOException {
    Hardware other = new Hardware("Z80", HERE.cores(), HERE.version(), 2, 2, Transport.LOCAL);
    Hardware old = new Hardware(HERE.sku(), HERE.cores(), "0.0.9", 2, 2, Transport.LOCAL);
    assertThat(refusals(table(other, entry(1024, "flat"))))
        .allMatch(text -> text.contains("the table is foreign: it was made on 'Z80'"));
    assertThat(refusals(table(old, entry(1024, "flat"))))
        .allMatch(text -> text.contains("the table is stale: it was made by jccl 0.0.9"));
    assertThat(refusals(table(HERE, entry(1024, "warp"))))
        .allMatch(text -> text.contains("all_reduce has no algorithm 'warp'; there are"));
    assertThat(refusals(null)).allMatch(text -> text.contains("absent.json cannot be read"));
  }

  private List<String> refusals(TuningTable table) throws IOException {
    Path file = folder.resolve(table == null ? "absent.json" : "tuning.json");
    if (table != null) {
      Files.writeString(file, table.toJson());
    }
    return FaceRanks.run(List.of(new JcclProvider()), 2, Map.of("tuning", file.toString()), _ -> {})
        .stream()
        .map(Throwable::getMessage)
        .toList();
  }

  @Test
  void aTableWithoutThisWorldLeavesTheChoiceToJccl() throws IOException {
    Hardware wider = new Hardware(HERE.sku(), HERE.cores(), HERE.version(), 8, 8, Transport.SHM);
    Path file = folder.resolve("tuning.json");
    Files.writeString(file, table(wider, entry(1024, "flat")).toJson());
    FaceRanks.run(
        2,
        new JcclProvider(),
        Map.of("tuning", file.toString()),
        comm -> comm.allReduce(Tensor.ones(Shape.of(256)), ReduceOp.SUM));
  }

  @Test
  void aProfileTakesThePlaceOfItsLike() {
    TuningTable table = table(HERE, entry(1024, "flat")).with(profile(HERE, entry(2048, "staged")));
    assertThat(table.profiles()).containsExactly(profile(HERE, entry(2048, "staged")));
  }
}
