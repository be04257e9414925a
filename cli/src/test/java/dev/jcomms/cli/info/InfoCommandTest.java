package dev.jcomms.cli.info;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.Registration;
import dev.jcomms.Setting;
import dev.jcomms.cli.Cli;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InfoCommandTest {
  @Test
  void textShowsTheMachineTheBackendsAndEverySetting() {
    Cli.Result result = Cli.run("info");
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains("JComms 0.", "java ", "simd ", "fake 1.0.0, for cpu", "all_to_all_v_single")
        .contains("f32, f16, bf16");
    for (Setting setting : Setting.values()) {
      assertThat(result.out())
          .contains(setting.variables())
          .contains(setting.variables().getLast());
    }
  }

  @Test
  void jsonIsOneLineOfTheSameFacts() {
    Cli.Result result = Cli.run("info", "--json");
    assertThat(result.out().strip()).doesNotContain("\n");
    Map<?, ?> document = (Map<?, ?>) decode(result.out());
    assertThat((List<?>) document.get("settings")).hasSize(Setting.values().length);
    assertThat(document.get("processors"))
        .isEqualTo((long) Runtime.getRuntime().availableProcessors());
    assertThat(document.toString()).contains("name=reference").contains("name=fake");
  }

  @Test
  void algorithmsAreListedWithASentenceEach() {
    Cli.Result text = Cli.run("info", "--algorithms");
    assertThat(text.status()).isZero();
    assertThat(text.out())
        .containsPattern("(?m)^all_reduce$")
        .containsPattern("(?m)^  ring +tcp +Shares go around a ring twice.*\\.$");
    Map<?, ?> document = (Map<?, ?>) decode(Cli.run("info", "--algorithms", "--json").out());
    assertThat((List<?>) document.get("algorithms"))
        .hasSizeGreaterThan(40)
        .allSatisfy(one -> assertThat(((Map<?, ?>) one).get("description")).isNotNull());
  }

  @Test
  void whatJcclTakesByItselfIsListedWithTheAlgorithms() {
    assertThat(Cli.run("info", "--algorithms").out())
        .containsPattern("(?m)^all_reduce, reduce \\(local, shm\\)$")
        .containsPattern("(?m)^  flat +up to 24 KiB of all ranks together$")
        .containsPattern("(?m)^  direct +tensors mapped$")
        .containsPattern("(?m)^  staged +tensors pulled, on aarch64$")
        .containsPattern("(?m)^  direct +tensors pulled, from 256 KiB a section$")
        .containsPattern("(?m)^  exchange +up to 256 KiB, up to 2 ranks$")
        .containsPattern("(?m)^  ring +otherwise$")
        .containsPattern("(?m)^  two_level +always$");
    Map<?, ?> document = (Map<?, ?>) decode(Cli.run("info", "--algorithms", "--json").out());
    assertThat(document.get("defaults").toString())
        .contains("{algorithm=exchange, max_bytes=262144, max_ranks=2}");
  }

  @Test
  void aSecretIsShownAsSetAndNothingMore() {
    Map<String, String> environment =
        Map.of("JCOMMS_SECRET", "0123456789abcdef", "TORCHCOMM_TIMEOUT_SECONDS", "30");
    String json = InfoCommand.json(Machine.current(), List.of(), InfoCommand.settings(environment));
    assertThat(json).contains("(set)").doesNotContain("0123456789abcdef");
    assertThat(json)
        .contains("\"default\":\"600\",\"value\":\"30\",\"source\":\"TORCHCOMM_TIMEOUT_SECONDS\"");
  }

  /** As a backend does whose native library is missing. */
  @Test
  void aBackendThatCannotOpenSaysWhyAndHidesNoOther() {
    BackendProvider broken =
        new FakeProvider(
            _ -> {
              throw new UnsatisfiedLinkError("no libnccl.so.2 here");
            });
    try (Registration _ = Backends.register("broken", broken)) {
      Cli.Result result = Cli.run("info");
      assertThat(result.status()).isZero();
      assertThat(result.out())
          .contains("broken 1.0.0, for cpu, cuda")
          .containsPattern("cannot open +no libnccl.so.2 here")
          .contains("fake 1.0.0");
    }
  }

  @Test
  void whatABackendTellsOfItselfIsShownInItsOrder() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("transports", "threads, shared memory");
    facts.put("algorithms", "17");
    BackendProvider told =
        new BackendProvider() {
          private final BackendProvider fake = new FakeProvider();

          @Override
          public String name() {
            return fake.name();
          }

          @Override
          public String version() {
            return fake.version();
          }

          @Override
          public Set<String> devices() {
            return fake.devices();
          }

          @Override
          public Map<String, String> facts() {
            return facts;
          }

          @Override
          public Backend open(BackendContext context) {
            return fake.open(context);
          }
        };
    try (Registration _ = Backends.register("told", told)) {
      assertThat(Cli.run("info").out())
          .containsPattern("transports +threads, shared memory\\s+algorithms +17\n");
      assertThat(Cli.run("info", "--json").out())
          .contains("\"facts\":{\"transports\":\"threads, shared memory\",\"algorithms\":\"17\"}");
    }
  }

  @Test
  void vectorsAreThoseThatRanksGet() {
    Map<?, ?> document = (Map<?, ?>) decode(Cli.run("info", "--json").out());
    long bits = (Long) document.get("vector_bits");
    assertThat(bits).isGreaterThanOrEqualTo(64);
    assertThat(document.get("vectors_for_ranks")).isEqualTo(document.get("vector_module"));
    assertThat(Cli.run("info").out())
        .containsPattern("simd +" + bits + " bits; (ranks use them|unused: this Java lacks)");
  }

  private static Object decode(String json) {
    return Codecs.JSON.decode(json.getBytes(StandardCharsets.UTF_8));
  }
}
