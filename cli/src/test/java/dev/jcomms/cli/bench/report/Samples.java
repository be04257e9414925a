package dev.jcomms.cli.bench.report;

import dev.jcomms.ReduceOp;
import dev.jcomms.cli.bench.measure.Measurement;
import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.measure.Pace;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.measure.Timing;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.cli.info.Machine;
import dev.jcomms.tensor.DType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Results that nobody measured. */
final class Samples {
  static final Machine MACHINE = Machine.current();

  private Samples() {}

  static Plan plan(String op) {
    return new Plan(
        Operations.of(op),
        List.of(8L, 1024L),
        DType.F32,
        ReduceOp.SUM,
        0,
        "jccl",
        "shm",
        false,
        Map.of(),
        "",
        0,
        new Pace(Pace.ADAPTIVE, Pace.ADAPTIVE, Duration.ofMillis(250)),
        true,
        true);
  }

  static Message measured(long bytes, Form form, double micros, long wrong, double limit) {
    return new Message.Measured(
        new Measurement(
            bytes,
            bytes / 4,
            form,
            "ring",
            100,
            1,
            new Timing(micros, micros / 2, micros, micros * 4),
            OptionalLong.of(wrong),
            limit > 0 ? OptionalDouble.of(limit) : OptionalDouble.empty()));
  }

  /** Two sizes, both forms, OpenMPI with both forms, Gloo with one. */
  static Section allReduce() {
    Results results = new Results(plan("all_reduce"), 1);
    results.add(Results.OURS, new Message.Started(4, "jccl 1.0.0", "shm", "memory"));
    for (long bytes : List.of(8L, 1024L)) {
      for (Form form : Form.values()) {
        results.add(Results.OURS, measured(bytes, form, bytes, 0, bytes / 4.0));
        results.add("openmpi", measured(bytes, form, 2.0 * bytes, 0, 0));
      }
      results.add("gloo", measured(bytes, Form.IN_PLACE, 100.0 * bytes, 0, 0));
    }
    results.note("something is <left out>");
    return results.section();
  }
}
