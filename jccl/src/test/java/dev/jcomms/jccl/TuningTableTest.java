package dev.jcomms.jccl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.ReduceOp;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningTable.Entry;
import dev.jcomms.jccl.TuningTable.Hardware;
import dev.jcomms.jccl.TuningTable.Profile;
import dev.jcomms.jccl.internal.JcclProvider;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
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
  void symmetricTensorsHaveEntriesOfTheirOwn() {
    Profile profile =
        profile(
            HERE,
            entry(1024, "flat"),
            new Entry(1024, true, Choice.of("direct"), 1, 2),
            new Entry(4096, true, Choice.of("staged"), 1, 2));
    assertThat(profile.select(request(1024))).contains(Choice.of("flat"));
    assertThat(profile.select(request(4096))).isEmpty();
    assertThat(profile.select(symmetric(1024))).contains(Choice.of("direct"));
    assertThat(profile.select(symmetric(8192))).contains(Choice.of("staged"));
    TuningTable table = new TuningTable(List.of(profile));
    assertThat(TuningTable.parse(table.toJson())).isEqualTo(table);
    assertThat(table.toJson()).contains("\"auto_us\":2.0},", "\"auto_us\":2.0,\"symmetric\":true}");
    assertThat(profile(HERE, entry(1024, "flat")).select(symmetric(1024))).isEmpty();
  }

  private static Selector.Request symmetric(long bytes) {
    return new Selector.Request(
        "all_reduce", bytes, DType.F32, ReduceOp.SUM, 2, 2, Transport.SHM, true);
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
        .allMatch(
            text ->
                text.contains(
                    "profiles[0].collectives.all_reduce, message_size=1024: all_reduce has no"
                        + " algorithm 'warp'; there are"));
    assertThat(refusals(rule("'algorithm':'flat'},{'algorithm':'warp'")))
        .allMatch(text -> text.contains("rules[0].take[1]: all_reduce has no algorithm 'warp'"));
    assertThat(refusals(rule("'algorithm':'flat','parameters':{'lanes':1}")))
        .allMatch(text -> text.contains("take[0]: algorithm 'flat' has no parameter 'lanes'"));
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
  void aTableThatWasNamedOnSomeRanksOnlyIsRefusedOnAll() {
    Jccl tuned = Jccl.with(AlgorithmCollection.defaults()).tuning(table(HERE, entry(1024, "flat")));
    assertThat(FaceRanks.run(List.of(tuned, new JcclProvider()), 2, Map.of(), _ -> {}))
        .allMatch(failure -> failure instanceof IllegalArgumentException)
        .map(Throwable::getMessage)
        .allMatch(text -> text.contains("rank 1 has no tuning table, and others have"));
  }

  @Test
  void aTableInTheEnvironmentOfSomeRanksOnlyIsLeftAside() throws IOException {
    Path file = folder.resolve("tuning.json");
    AtomicInteger runs = new AtomicInteger();
    Jccl jccl = Jccl.with(AlgorithmCollection.defaults().with(Sample.naiveAllReduce(runs)));
    Files.writeString(file, table(HERE, entry(1024, "naive")).toJson());
    BackendProvider tuned =
        new FakeProvider(context -> jccl.open(in(context, "JCOMMS_TUNING", file.toString())));
    List<Throwable> failures =
        FaceRanks.run(
            List.of(jccl, tuned),
            2,
            Map.of(),
            comm -> {
              Tensor x = Tensor.ones(Shape.of(256));
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.getFloat(0)).isEqualTo(2);
            });
    assertThat(failures).containsOnlyNulls();
    assertThat(runs).hasValue(0);
  }

  private static BackendContext in(BackendContext context, String variable, String value) {
    return new BackendContext(
        context.comm(),
        context.rank(),
        context.size(),
        context.ranks(),
        context.device(),
        context.store(),
        context.timeout(),
        context.hints(),
        Map.of(variable, value));
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
  void whatWasMeasuredAnewTakesThePlaceOfItsLike() {
    Entry old = entry(1024, "flat");
    Entry anew = entry(2048, "staged");
    Entry symmetric = new Entry(2048, true, Choice.of("direct"), 1, 2);
    TuningTable table = table(HERE, old);
    assertThat(table.with(profile(HERE, anew)).profiles()).containsExactly(profile(HERE, anew));
    assertThat(table.with(profile(HERE, symmetric)).profiles())
        .containsExactly(profile(HERE, old, symmetric));
    Profile other = new Profile(HERE, Map.of("all_gather", List.of(anew)));
    assertThat(table.with(other).profiles())
        .containsExactly(
            new Profile(HERE, Map.of("all_reduce", List.of(old), "all_gather", List.of(anew))));
    TuningTable ruled = new TuningTable(List.of(), TuningTable.defaults().rules());
    assertThat(ruled.with(profile(HERE, anew)).rules()).isEqualTo(ruled.rules());
  }

  private static TuningTable rule(String rows) {
    return TuningTable.parse(
        """
        {'version':2,'profiles':[],'rules':[
         {'transports':['local'],'collectives':['all_reduce'],'take':[{%s}]}]}
        """
            .formatted(rows)
            .replace('\'', '"'));
  }

  @Test
  void rulesAreForAnyMachineAndAskedAfterItsProfile() throws IOException {
    AtomicInteger runs = new AtomicInteger();
    Jccl jccl = Jccl.with(AlgorithmCollection.defaults().with(Sample.naiveAllReduce(runs)));
    Hardware other = new Hardware("Z80", 1, "0.0.9", 2, 2, Transport.LOCAL);
    TuningTable rules =
        rule("'algorithm':'naive','max_bytes':2048},{'algorithm':'flat','max_bytes':4096");
    for (TuningTable table :
        List.of(
            rules,
            rules.with(profile(other, entry(1024, "warp"))),
            rules.with(profile(HERE, entry(64, "flat"))))) {
      runs.set(0);
      FaceRanks.run(
          2,
          jccl.tuning(table),
          comm -> {
            for (long elements : List.of(16, 512, 1024, 4096)) {
              Tensor x = Tensor.ones(Shape.of(elements));
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.getFloat(elements - 1)).isEqualTo(2);
            }
          });
      boolean measured = table.match(HERE).isPresent();
      assertThat(runs).hasValue(2 * (measured ? 1 : 2));
    }
  }

  @Test
  void theShippedTableIsOneThatCanBeGiven() throws IOException {
    TuningTable shipped = TuningTable.defaults();
    try (InputStream file = TuningTable.class.getResourceAsStream("defaults.json")) {
      assertThat(file).asString(UTF_8).isEqualTo(shipped.toJson());
    }
    assertThat(TuningTable.parse(shipped.toJson())).isEqualTo(shipped);
    for (Map<String, String> hints :
        List.of(
            Map.<String, String>of(), Map.of("transport", "tcp"), Map.of("ranks_per_host", "2"))) {
      FaceRanks.run(
          4,
          Jccl.with(AlgorithmCollection.defaults()).tuning(shipped),
          hints,
          comm -> {
            for (long elements : List.of(1, 1000, 65537)) {
              Tensor x = Tensor.ones(Shape.of(elements));
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.getFloat(elements - 1)).isEqualTo(4);
              Tensor all = Tensor.zeros(Shape.of(4 * elements));
              comm.allGatherSingle(all, x);
              assertThat(all.getFloat(4 * elements - 1)).isEqualTo(4);
            }
          });
    }
  }

  @Test
  void theShippedTableTellsWhatRequestsGet() {
    assertThat(shipped("all_reduce", 12 << 10, 2, Transport.SHM, false)).isEqualTo("[flat]");
    assertThat(shipped("all_reduce", 1 << 20, 2, Transport.LOCAL, false)).isEqualTo("[direct]");
    assertThat(shipped("all_gather", 8 * (20 << 10), 8, Transport.SHM, false))
        .isEqualTo("[direct, staged]");
    assertThat(shipped("all_reduce", 20 << 10, 2, Transport.SHM, false))
        .isEqualTo("[direct, staged]");
    assertThat(shipped("all_reduce", 20 << 10, 2, Transport.SHM, true))
        .isEqualTo("[direct, staged]");
    assertThat(shipped("all_gather", 8 * (3 << 10), 8, Transport.SHM, false)).isEqualTo("[flat]");
    assertThat(shipped("all_to_all", 8 << 10, 8, Transport.SHM, false)).isEqualTo("[flat]");
    assertThat(shipped("reduce_scatter", 12 << 10, 8, Transport.SHM, false)).isEqualTo("[flat]");
    assertThat(shipped("reduce_scatter", 16 << 10, 8, Transport.SHM, false))
        .isEqualTo("[direct, staged]");
    assertThat(shipped("all_reduce", 1 << 20, 33, Transport.TCP, false))
        .isEqualTo("[recursive_halving]");
    assertThat(shipped("all_reduce", 1 << 20, 33, Transport.MIXED, false)).isEqualTo("[two_level]");
    assertThat(shipped("all_to_all", 1 << 20, 33, Transport.MIXED, false)).isEqualTo("[pairwise]");
    assertThat(shipped("barrier", 0, 2, Transport.SHM, false)).isEqualTo("[]");
  }

  private static String shipped(
      String collective, long bytes, int world, Transport transport, boolean symmetric) {
    return TuningTable.defaults()
        .candidates(
            new Selector.Request(
                collective, bytes, DType.F32, ReduceOp.SUM, world, 0, transport, symmetric))
        .toString();
  }
}
