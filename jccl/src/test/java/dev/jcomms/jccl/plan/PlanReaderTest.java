package dev.jcomms.jccl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text that is no plan is refused, and the error says where. */
final class PlanReaderTest {
  /** Each case changes the first match of a pattern in the plan that has every op. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "protocol": "LL" | "protocol": "LL128" | protocol: 'LL128' is not Simple or LL
          "inplace": false | "inplace": 0 | inplace: '0' is not true or false
          "name": "every_op", | `` | name: missing
          "max_message_size": 1 | "max_message_size": 9 | max_message_size: '98446744073709551615' is not a count below 2^64
          "min_message_size": 32 | "min_message_size": 1.5 | min_message_size: '1.5' is not a count below 2^64
          "id": 0 | "id": -1 | gpus[0].id: '-1' is not a count below 2^31
          "init_value": 1 | "init_value": 2147483648 | gpus[0].semaphores[0].init_value: '2147483648' is not an integer of 32 bits
          "input_chunks": 2 | "input_chunks": "2" | gpus[0].input_chunks: '2' is not a count below 2^31
          "name": "copy" | "name": "start" | gpus[0].threadblocks[0].ops[9].name: 'start' is no op
          "type": "i" | "type": "x" | gpus[0].threadblocks[0].ops[9].src_buff[0].type: 'x' is not i, o or s
          "name": "upkt" | "name": "glres" | gpus[0].threadblocks[0].ops[11].src_buff[0].switch_channel_id: missing
          "reduce_op": "max" | "reduce_op": "avg" | gpus[0].threadblocks[0].ops[23].reduce_op: 'avg' is not sum
          "tbg_size": 2 | "tbg_size": 0 | gpus[0].threadblocks[0].ops[23].tbg_info.tbg_size: a group has at least one block
          "tb_id": 0 | "tb_id": 2 | gpus[0].threadblocks[0].ops[23].tbg_info: tb_id=2 is not a member of a group of tbg_size=2
          "unit_size": 64 | "unit_size": 0 | gpus[0].threadblocks[1].ops[1]: a pipeline cannot have unit_size=0
          "name": "rre" | "name": "re" | gpus[0].threadblocks[0].ops[25].src_buff[1].type: missing
          "name": "re" | "name": "rre" | gpus[0].threadblocks[0].ops[23].src_buff: 3 local chunks first
          "name": "repkt" | "name": "recpkt" | gpus[0].threadblocks[0].ops[27].dst_buff: no packet copy
          "name": "flush" | "name": "get" | gpus[0].threadblocks[0].ops[8].channel_type: 'port' is not memory
          "ranks": \\[ | "ranks": [0, | gpus[0].channels[2].rank_groups[0].size: 2, but 3 ranks are listed
          "ops": \\[ | "ops": [null, | gpus[0].threadblocks[0].ops[0]: null is not an object
          "gpus": \\[ | "gpus": {}, "other": [ | gpus: an object is not an array
          "name": "nop" | "name": "nop", "name": "nop" | plan: not JSON: expected a key other than 'name' twice
          """)
  void theErrorHasThePath(String pattern, String replacement, String message) {
    String text = TestPlans.everyOp().replaceFirst(pattern, replacement == null ? "" : replacement);
    assertThatThrownBy(() -> Plan.read(text))
        .isInstanceOf(PlanException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1",
        "{}x",
        "nul",
        "01",
        "1.",
        "-",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "{1:2}",
        "{\"a\":1,}",
        "[1,]",
        "\u0000",
        "NaN",
        "'a'",
        "[]",
        "7",
        "\"plan\""
      })
  void whatIsNoJsonObjectIsRefused(String text) {
    assertThatThrownBy(() -> Plan.read(text)).isInstanceOf(PlanException.class);
  }

  @Test
  void brokenJsonIsPlacedByLineAndColumn() {
    assertThatThrownBy(() -> Plan.read("{\n  \"name\" 7}"))
        .hasMessage("plan: not JSON: expected ':' at line 2 column 10, found '7'");
  }

  @Test
  void depthCostsNoStack() {
    assertThatThrownBy(() -> Plan.read("[".repeat(1_000_000)))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("nesting of at most");
  }

  @Test
  void aFileThatIsNotUtf8IsRefused(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("plan.json"), new byte[] {'{', (byte) 0xff, '}'});
    assertThatThrownBy(() -> Plan.read(file)).hasMessage("plan: not UTF-8");
  }

  @Test
  void anyChangeOfTheTextGivesAPlanOrAPlanException() {
    String original = TestPlans.everyOp();
    String[] pieces = {
      "0", "-1", "null", "{}", "[]", "\"\"", "99999999999", "\"i\"", "true", ",", "}"
    };
    Random random = new Random(4);
    int plans = 0;
    for (int round = 0; round < 3000; round++) {
      StringBuilder text = new StringBuilder(original);
      boolean onlyDigits = round % 2 == 0;
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        int at = random.nextInt(text.length());
        int digit = indexOfDigit(text, at);
        if (onlyDigits) {
          text.setCharAt(digit, (char) ('0' + random.nextInt(4)));
          continue;
        }
        switch (random.nextInt(4)) {
          case 0 -> text.setCharAt(at, (char) random.nextInt(128));
          case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(1, 40)));
          case 2 -> text.insert(at, pieces[random.nextInt(pieces.length)]);
          default -> text.replace(digit, digit + 1, pieces[random.nextInt(pieces.length)]);
        }
      }
      try {
        Plan plan = Plan.read(text.toString());
        plan.validate();
        assertThat(TestPlans.sorted(plan.toJson())).isEqualTo(TestPlans.sorted(text.toString()));
        plans++;
      } catch (PlanException e) {
        assertThat(e).hasMessageContaining(": ");
      }
    }
    assertThat(plans).as("changes that left a plan").isBetween(500, 2500);
  }

  private static int indexOfDigit(StringBuilder text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (Character.isDigit(text.charAt(i))) {
        return i;
      }
    }
    return from;
  }
}
