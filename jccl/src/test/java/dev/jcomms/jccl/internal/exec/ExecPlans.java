package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.TestPlans;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plans that MSCCL++ wrote, as trials. */
final class ExecPlans {
  static final Duration DEADLINE = Duration.ofSeconds(60);
  static final List<Long> SIZES = List.of(1L << 10, 64L << 10, 1L << 20);
  private static final int LAUNCHES = 3;

  private ExecPlans() {}

  static Plan read(Path file) {
    try {
      return Plan.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those that carry out a collective, but for one that is known to be racy. */
  static List<Path> collectives() {
    return TestPlans.ofMscclpp().stream()
        .filter(file -> !file.getFileName().toString().matches("(unit|racy)_.*"))
        .toList();
  }

  static Path named(String name) {
    return TestPlans.ofMscclpp().stream()
        .filter(file -> file.getFileName().toString().equals(name + ".json"))
        .findFirst()
        .orElseThrow();
  }

  /** A plan with every dtype and both packets, at each size. */
  static List<Trial> trials(Plan plan, List<Long> sizes, Map<String, String> hints) {
    List<Trial> trials = new ArrayList<>();
    for (long bytes : sizes) {
      trials.add(trial(plan, bytes, DType.I32, PacketType.LL16, hints));
      trials.add(trial(plan, bytes, DType.I32, PacketType.LL8, hints));
      trials.add(trial(plan, bytes, DType.F16, PacketType.LL16, hints));
      trials.add(trial(plan, bytes, DType.BF16, PacketType.LL8, hints));
      trials.add(trial(plan, bytes, DType.F32, PacketType.LL16, hints));
    }
    return trials;
  }

  static Trial trial(
      Plan plan, long bytes, DType dtype, PacketType packets, Map<String, String> hints) {
    return new Trial(plan, bytes, LAUNCHES, dtype, packets, hints, DEADLINE);
  }
}
