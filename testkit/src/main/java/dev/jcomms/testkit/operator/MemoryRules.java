package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.testkit.DeviceResult;
import dev.jcomms.testkit.DeviceSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What must hold of a device's memory, whatever its operators do. */
final class MemoryRules {
  /** One rule: tells what is wrong. */
  private interface Rule {
    void check(Device device, Report report);
  }

  /** Counts what holds and keeps what does not. */
  private static final class Report {
    final List<String> wrong = new ArrayList<>();
    int right;

    void expect(boolean holds, String what) {
      if (holds) {
        right++;
      } else {
        wrong.add(what);
      }
    }

    void refused(Runnable call, String what) {
      try {
        call.run();
        wrong.add(what + " was not refused");
      } catch (IllegalArgumentException | IllegalStateException e) {
        right++;
      }
    }
  }

  private static final Map<String, Rule> RULES = new LinkedHashMap<>();

  static {
    RULES.put("memory/there and back", MemoryRules::thereAndBack);
    RULES.put("memory/views share it", MemoryRules::viewsShare);
    RULES.put("memory/elements one by one", MemoryRules::elements);
    RULES.put("memory/printing", MemoryRules::printing);
    RULES.put("memory/devices do not mix", MemoryRules::mixtures);
  }

  private MemoryRules() {}

  static List<String> names() {
    return List.copyOf(RULES.keySet());
  }

  static DeviceResult run(DeviceSubject subject, String name) {
    long start = System.nanoTime();
    if (subject.whyBlocked(name).isPresent()) {
      return new DeviceResult(name, 0, 1, List.of(), Duration.ZERO);
    }
    Report report = new Report();
    try {
      RULES.get(name).check(subject.device(), report);
    } catch (RuntimeException | Error e) {
      report.wrong.add("breaks: " + e);
    }
    return new DeviceResult(
        name, report.right, 0, report.wrong, Duration.ofNanos(System.nanoTime() - start));
  }

  private static void thereAndBack(Device device, Report report) {
    for (DType dtype : DType.values()) {
      for (long[] shape : Samples.SHAPES) {
        for (TensorSpec spec : Samples.arranged(TensorSpec.of(dtype, shape))) {
          Tensor here = spec.on(Device.CPU);
          Tensor there = here.to(device);
          report.expect(there.device().equals(device), spec + " went to " + there.device());
          report.expect(
              same(there.cpu(), here), spec + " came back as " + Comparison.facts(there.cpu()));
          Tensor arranged = spec.on(device);
          report.expect(
              same(arranged.cpu(), here),
              spec + " arranged there came back as " + Comparison.facts(arranged.cpu()));
          Tensor cloned = Ops.clone(arranged);
          report.expect(
              same(cloned.cpu(), here) && cloned.device().equals(device),
              spec + " cloned there came back as " + Comparison.facts(cloned.cpu()));
        }
      }
    }
  }

  private static boolean same(Tensor a, Tensor b) {
    return a.dtype() == b.dtype() && a.equal(b);
  }

  private static void viewsShare(Device device, Report report) {
    Tensor matrix = TensorSpec.of(DType.F32, 3, 4).on(device);
    Tensor column = Ops.select(matrix, 1, 2);
    Ops.fill_(column, Scalar.of(7));
    for (long row = 0; row < 3; row++) {
      report.expect(matrix.getFloat(row, 2) == 7, "row " + row + " of a filled column");
    }
    Ops.copy_(Ops.transpose(matrix, 0, 1), Tensor.arange(DType.F32, 0, 12, 1).view(4, 3));
    report.expect(matrix.getFloat(2, 1) == 5, "a copy into a transposed view: " + matrix);
    Tensor copy = Ops.clone(matrix);
    Ops.fill_(matrix, Scalar.ZERO);
    report.expect(copy.getFloat(2, 1) == 5, "a clone shares memory with what it was cloned of");
  }

  private static void elements(Device device, Report report) {
    for (DType dtype : DType.values()) {
      Tensor t = TensorSpec.of(dtype, 2, 3).on(device);
      t.set(1, 1, 2);
      report.expect(t.getDouble(1, 2) == 1, dtype + " written and read: " + t);
      Scalar item = Ops.localScalarDense(Ops.select(Ops.select(t, 0, 1), 0, 2));
      report.expect(item.toDouble() == 1, dtype + " read as a number: " + item);
    }
  }

  private static void printing(Device device, Report report) {
    Tensor t = Tensor.of(1f, 2f).to(device);
    String wanted = "tensor([1., 2.], device='" + device + "')";
    report.expect(t.toString().equals(wanted), "prints " + t + " for " + wanted);
  }

  /** All on one device, but a number of the cpu may join any other. */
  private static void mixtures(Device device, Report report) {
    if (!Samples.exists("add.Tensor") || device.equals(Device.CPU)) {
      return;
    }
    Tensor there = Tensor.of(1f, 2f).to(device);
    Tensor here = Tensor.of(3f, 4f);
    Tensor number = Tensor.scalar(DType.F32, 5.0);
    for (List<Tensor> pair : List.of(List.of(there, number), List.of(number, there))) {
      Tensor sum = (Tensor) Dispatcher.call("aten::add.Tensor", pair.get(0), pair.get(1));
      report.expect(
          sum.device().equals(device) && sum.cpu().equal(Tensor.of(6f, 7f)),
          "with a number of the cpu: " + sum);
    }
    report.refused(() -> Dispatcher.call("aten::add.Tensor", there, here), "there + here");
    report.refused(() -> Dispatcher.call("aten::add.Tensor", here, there), "here + there");
    report.refused(() -> Dispatcher.call("aten::add_.Tensor", here, there), "here += there");
    report.refused(() -> Dispatcher.call("aten::add_.Tensor", number, there), "number += there");
    report.refused(() -> Dispatcher.call("aten::cat", List.of(there, here)), "cat(there, here)");
  }
}
