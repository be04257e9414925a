package dev.jcomms.jccl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.plan.Finding.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is read is written again, whatever it was. */
final class PlanRoundTripTest {
  @Test
  void everyPlanOfMscclppComesBackEqual() throws Exception {
    List<Path> files = TestPlans.ofMscclpp();
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      Plan plan = Plan.read(file);
      assertThat(plan.extras()).as("%s", file).isEqualTo(Extras.NONE);
      assertThat(TestPlans.sorted(plan.toJson()))
          .as("%s", file)
          .isEqualTo(TestPlans.sorted(Files.readString(file)));
      assertThat(Plan.read(plan.toJson())).as("%s", file).isEqualTo(plan);
    }
  }

  @Test
  void everyPlanOfMscclppIsAccepted() throws Exception {
    for (Path file : TestPlans.ofMscclpp()) {
      assertThat(Plan.read(file).validate())
          .as("%s", file)
          .noneMatch(finding -> finding.severity() == Severity.ERROR);
    }
  }

  @Test
  void everyOpComesBackEqual() {
    String text = TestPlans.everyOp();
    Plan plan = Plan.read(text);
    assertThat(TestPlans.sorted(plan.toJson())).isEqualTo(TestPlans.sorted(text));
    assertThat(plan.extras()).isEqualTo(Extras.NONE);
    Set<String> names = new TreeSet<>();
    for (ThreadBlock block : plan.ranks().getFirst().blocks()) {
      for (Op op : block.ops()) {
        names.add(op.name());
        if (op instanceof Op.Pipeline pipeline) {
          pipeline.ops().forEach(inner -> names.add(inner.name()));
        }
      }
    }
    assertThat(names).containsExactlyInAnyOrderElementsOf(OpName.ALL);
  }

  @Test
  void aTextThatLeavesOutWhatItMayComesBackWithoutIt() {
    String text =
        """
        {"name":"short","collective":"allreduce","protocol":"Simple","inplace":true,"gpus":[
          {"id":0,"input_chunks":1,"output_chunks":1,"scratch_chunks":0,"channels":[],
           "threadblocks":[{"id":0,"ops":[{"name":"re","src_buff":[{"type":"i","index":0,"size":1}],
             "dst_buff":[{"type":"o","index":0,"size":1}]}]}]}]}
        """;
    Plan plan = Plan.read(text);
    assertThat(plan.threadsPerBlock()).isEqualTo(1024);
    assertThat(plan.bufferAlignment()).isEqualTo(16);
    assertThat(plan.maxBytes()).isEqualTo(-1L);
    assertThat(plan.extras().unknownKeys()).isEmpty();
    assertThat(TestPlans.sorted(plan.toJson())).isEqualTo(TestPlans.sorted(text));
    assertThat(plan.withRanks(plan.ranks()).toJson()).contains("18446744073709551615");
  }

  @Test
  void unknownKeysComeBackAndAreReported() {
    String text =
        TestPlans.everyOp()
            .replaceFirst(
                "\"name\": \"every_op\"",
                "\"name\": \"every_op\", \"a.b\": {\"deep\": [1e400, -0, null, \"\\u00e9\"]}")
            .replaceFirst("\"name\": \"nop\"", "\"name\": \"nop\", \"why\": true")
            .replaceFirst("\"rank\": 0,\\s+\"type\": \"o\"", "\"rank\": 7, \"type\": \"o\"")
            .replaceFirst("\"init_value\": 1", "\"init_value\": -0, \"color\": \"red\"");
    Plan plan = Plan.read(text);
    assertThat(TestPlans.sorted(plan.toJson())).isEqualTo(TestPlans.sorted(text));
    assertThat(plan.extras().unknownKeys())
        .contains("a.b", "gpus[0].threadblocks[0].ops[0].why", "gpus[0].semaphores[0].color");
    assertThat(plan.validate()).anyMatch(finding -> finding.problem().contains("ops[0].why"));
  }
}
