package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.TuningTable.Entry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no table, or not quite one, is refused with its place and the reason. */
final class TuningTableRefusalTest {
  private static final String PROFILE =
      "{'version':%d,'profiles':[{'sku':'Z80','cores':1,'jccl':'0.1.0','scale':2,"
          + "'ranks_per_host':2,'transport':'shm','collectives':{'all_reduce':[%s]}}]}";

  private static final String RULE =
      "{'version':2,'profiles':[],'rules':[{'transports':['shm'],'collectives':['all_reduce'],"
          + "'take':[%s]}]}";

  @TempDir private Path folder;

  private static TuningTable parse(String text) {
    return TuningTable.parse(text.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | no tuning table: JSON: expected",
        "[] | the text: an object, not []",
        "{} | version: a whole number from 0 to 9223372036854775807 is missing",
        "{'version':0,'profiles':[]} | version: 0; this is a reader of versions 1 to 2",
        "{'version':3,'profiles':[]} | version: 3; this is a reader of versions 1 to 2",
        "{'version':'1','profiles':[]} | version: a whole number from 0 to 92",
        "{'version':1e0,'profiles':[]} | version: a whole number from 0 to 92",
        "{'version':1} | profiles: a list is missing",
        "{'version':1,'profiles':{}} | profiles: a list, not {}",
        "{'version':1,'profiles':[7]} | profiles[0]: an object, not 7",
        "{'version':1,'profiles':[{'sku':7}]} | profiles[0].sku: text, not 7",
        "{'version':1,'profiles':[],'rules':[]} | rules: no such key; there are version, profiles",
        "{'version':2,'profiles':[],'speed':9} | speed: no such key; there are version, profiles, r",
        "{'version':1,'version':1} | no tuning table: JSON: expected a key other than 'version'",
      })
  void aTable(String text, String reason) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'cores':1 | 'cores':4294967297 | cores: a whole number from 1 to 2147483647, not 4294967297",
        "'cores':1 | 'cores':0 | cores: a whole number from 1 to 2147483647, not 0",
        "'cores':1 | 'cores':1.5 | cores: a whole number from 1 to 2147483647, not 1.5",
        "'cores':1, | `` | cores: a whole number from 1 to 2147483647 is missing",
        "'scale':2 | 'scale':-2 | scale: a whole number from 1 to 2147483647, not -2",
        "'ranks_per_host':2 | 'ranks_per_host':1e9 | ranks_per_host: a whole number from 0 to 21",
        "'shm' | 'pigeon' | transport: one of [local, shm, tcp, mixed], not 'pigeon'",
        "'jccl':'0.1.0' | 'jccl':null | jccl: text is missing",
        "'sku' | 'turbo':true,'sku' | turbo: no such key; there are sku, cores, jccl, scale",
        "all_reduce | all_reduse | collectives.all_reduse: no such key; there are all_reduce, a",
      })
  void aProfile(String right, String wrong, String reason) {
    String text = PROFILE.formatted(1, "");
    assertThat(parse(text).profiles()).hasSize(1);
    assertThatThrownBy(() -> parse(text.replace(right, wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("profiles[0]." + reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'message_size':-1 | .message_size: a whole number from 0 to 9223372036854775807, not -1",
        "'message_size':99999999999999999999 | .message_size: a whole number from 0 to 92",
        "'message_size':'1K' | .message_size: a whole number from 0 to 9223372036854775807, not '1K'",
        "'time_us':-1 | .time_us: a time, not -1",
        "'time_us':1e999 | .time_us: a time, not Infinity",
        "'time_us':'soon' | .time_us: a time, not 'soon'",
        "'auto_us':null | .auto_us: a time is missing",
        "'algorithm':7 | .algorithm: text, not 7",
        "'algorithm':['flat'] | .algorithm: text, not [flat]",
        "'parameters':3 | .parameters: an object, not 3",
        "'parameters':{'lanes':0.5} | .parameters.lanes: a whole number from -92",
        "'sneaky':1 | .sneaky: no such key; there are message_size, algorithm, parameters, time_us",
        "'symmetric':true | .symmetric: no such key; there are message_size, algorithm",
      })
  void anEntry(String field, String reason) {
    String key = field.substring(0, field.indexOf(':'));
    StringBuilder entry = new StringBuilder();
    for (String right : new String[] {"'message_size':1", "'algorithm':'flat'", "'time_us':1"}) {
      entry.append(right.startsWith(key) ? "" : right + ",");
    }
    String good = "{'message_size':8,'algorithm':'flat','time_us':1}";
    assertThatThrownBy(() -> parse(PROFILE.formatted(1, good + ",{" + entry + field + "}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("profiles[0].collectives.all_reduce[1]" + reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'max_bytes':-1 | .max_bytes: a whole number from 0 to 9223372036854775807, not -1",
        "'max_bytes':1e3 | .max_bytes: a whole number from 0 to 9223372036854775807, not 1000.0",
        "'max_ranks':0 | .max_ranks: a whole number from 1 to 2147483647, not 0",
        "'max_ranks':2147483648 | .max_ranks: a whole number from 1 to 2147483647, not 2147483648",
        "'min_bytes':9,'max_bytes':8 | : bytes from 9 to 8 are none",
        "'min_ranks':9,'max_ranks':8 | : ranks from 9 to 8 are none",
        "'of':'half' | .of: one of [buffer, section, world], not 'half'",
        "'memory':'far' | .memory: one of [any, mapped, seen, pulled], not 'far'",
        "'arch':'z80' | : arch 'z80' without a memory: hosts may differ in it",
        "'bytes':8 | .bytes: no such key; there are algorithm, parameters, memory, arch, of",
      })
  void aRow(String fields, String reason) {
    assertThatThrownBy(() -> parse(RULE.formatted("{'algorithm':'flat'," + fields + "}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("rules[0].take[0]" + reason);
  }

  @Test
  void aRuleOfNothingThatThereIs() {
    assertThatThrownBy(() -> parse(RULE.formatted("").replace("all_reduce", "warp")))
        .hasMessageStartingWith("rules[0].collectives[0]: one of [all_reduce, all_gather, ");
    assertThatThrownBy(() -> parse(RULE.formatted("").replace("shm", "pigeon")))
        .hasMessage("rules[0].transports[0]: one of [local, shm, tcp, mixed], not 'pigeon'");
    assertThatThrownBy(() -> parse(RULE.formatted("").replace("'take':[]", "'give':[]")))
        .hasMessage("rules[0].give: no such key; there are transports, collectives, take");
  }

  @Test
  void whatIsThereTwice() {
    String entry = "{'message_size':8,'algorithm':'flat','time_us':1}";
    assertThatThrownBy(() -> parse(PROFILE.formatted(1, entry + "," + entry)))
        .hasMessage("profiles[0].collectives.all_reduce[1].message_size: 8 is there already");
    String symmetric = entry.replace("}", ",'symmetric':true}");
    assertThat(parse(PROFILE.formatted(2, entry + "," + symmetric)).profiles()).hasSize(1);
    assertThatThrownBy(() -> parse(PROFILE.formatted(2, symmetric + "," + symmetric)))
        .hasMessage("profiles[0].collectives.all_reduce[1].message_size: 8 is there already");
    String twice = PROFILE.formatted(1, "").replaceFirst("\\[(.*)]", "[$1,$1]");
    assertThatThrownBy(() -> parse(twice))
        .hasMessage("profiles[1]: a profile of the same machine and ranks is there already");
    assertThatThrownBy(() -> parse(RULE.formatted("{'algorithm':'flat'},{'algorithm':'flat'}")))
        .hasMessage("rules[0].take[1]: the same is there already");
  }

  @Test
  void aFileOfAHundredMegabytesIsNotReadToItsEnd() throws IOException {
    Path file = folder.resolve("huge.json");
    Files.writeString(file, "{\"version\":1,\"profiles\":[");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(100 << 20);
    }
    assertThatThrownBy(() -> TuningTable.read(file))
        .hasMessage(file + ": no tuning table: it is longer than 4194304 bytes");
    assertThatThrownBy(() -> parse(" ".repeat(5 << 20)))
        .hasMessage("no tuning table: it is longer than 4194304 bytes");
  }

  @Test
  void aFileThatIsNoText() throws IOException {
    Path file = Files.write(folder.resolve("blob"), new byte[] {'{', (byte) 0xff, '}'});
    assertThatThrownBy(() -> TuningTable.read(file))
        .hasMessageStartingWith(file + ": no tuning table: not UTF-8");
    assertThatThrownBy(() -> TuningTable.read(folder)).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsFoundInsteadIsShownInPart() {
    String long1 = "x".repeat(100_000);
    assertThatThrownBy(() -> parse("{'version':1,'profiles':'" + long1 + "'}"))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    assertThatThrownBy(() -> parse("{'version':1,'profiles':[],'" + long1 + "':1}"))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    assertThatThrownBy(() -> parse("[".repeat(100_000)))
        .hasMessageContaining("expected nesting of at most 200");
  }

  @Test
  void aTableOfTheFirstVersionIsReadAsEver() {
    String entry =
        "{'message_size':8,'algorithm':'mine','parameters':{'lanes':-2},'time_us':1,'auto_us':2.5}";
    TuningTable table = parse(PROFILE.formatted(1, entry));
    assertThat(table.profiles().getFirst().collectives().get("all_reduce"))
        .containsExactly(new Entry(8, new Choice("mine", Map.of("lanes", -2L)), 1, 2.5));
    assertThat(table.rules()).isEmpty();
    String written = table.toJson();
    assertThat(written).startsWith("{\"version\": 2, ");
    assertThat(TuningTable.parse(written)).isEqualTo(table);
    assertThat(written.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(300);
  }

  @Test
  void valuesThatNobodyMeasured() {
    assertThatThrownBy(() -> new Entry(-1, Choice.AUTO, 1, 1)).hasMessageContaining("bytes=-1");
    assertThatThrownBy(() -> new Entry(1, Choice.AUTO, Double.NaN, 1))
        .hasMessageContaining("micros=NaN");
    assertThatThrownBy(() -> new TuningTable.Hardware("Z80", 0, "0", 1, 1, Selector.Transport.SHM))
        .hasMessageContaining("cores=0");
  }
}
