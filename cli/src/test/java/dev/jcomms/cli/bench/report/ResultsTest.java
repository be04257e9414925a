package dev.jcomms.cli.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.op.Form;
import org.junit.jupiter.api.Test;

final class ResultsTest {
  @Test
  void roundsBecomeMediansAndWrongElementsAddUp() {
    Results results = new Results(Samples.plan("broadcast"), 3);
    results.add(Results.OURS, new Message.Started(2, "jccl 1", "shm", "memory"));
    for (double micros : new double[] {30, 10, 20}) {
      results.add(Results.OURS, Samples.measured(8, Form.IN_PLACE, micros, 1, micros / 10));
      results.add("openmpi", Samples.measured(8, Form.IN_PLACE, 2 * micros, 0, 0));
    }
    Section section = results.section();
    Cell cell = section.rows().getFirst().cell(Form.IN_PLACE).orElseThrow();
    assertThat(cell.time().avg()).isEqualTo(20);
    assertThat(cell.limit()).hasValue(2);
    assertThat(cell.ofLimit()).hasValue(0.1);
    assertThat(cell.ratio("openmpi")).hasValue(0.5);
    assertThat(cell.ratio("gloo")).isEmpty();
    assertThat(section.wrong()).isEqualTo(3);
    assertThat(section.isGood()).isFalse();
  }

  @Test
  void aPeerWithOneFormIsComparedWithBoth() {
    Section section = Samples.allReduce();
    Row row = section.rows().getFirst();
    for (Form form : Form.values()) {
      Cell cell = row.cell(form).orElseThrow();
      assertThat(cell.peers().get("gloo").form()).isEqualTo(Form.IN_PLACE);
      assertThat(cell.peers().get("openmpi").form()).isEqualTo(form);
      assertThat(cell.ratio("gloo")).hasValue(0.01);
    }
  }

  @Test
  void aFormThatWasRefusedLeavesTheOther() {
    Results results = new Results(Samples.plan("all_reduce"), 1);
    results.add(Results.OURS, new Message.Started(2, "jccl 1", "shm", "memory"));
    results.add(Results.OURS, Samples.measured(8, Form.OUT_OF_PLACE, 1, 0, 0));
    results.add(Results.OURS, new Message.Note("in place is refused"));
    Section section = results.section();
    assertThat(section.forms()).containsExactly(Form.OUT_OF_PLACE);
    assertThat(section.notes()).containsExactly("in place is refused");
    assertThat(section.isGood()).isTrue();
  }

  @Test
  void nothingMeasuredIsNotGood() {
    assertThat(new Results(Samples.plan("all_reduce"), 1).section().isGood()).isFalse();
  }
}
