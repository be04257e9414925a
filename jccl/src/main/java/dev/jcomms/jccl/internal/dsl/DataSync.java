package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.Op;
import java.util.ArrayList;
import java.util.List;

/** Writes out the meetings of threads around ops that signal, wait or flush, as {@code nop}s. */
public final class DataSync {
  private DataSync() {}

  public static List<Op> insert(List<Step> steps) {
    List<Op> ops = new ArrayList<>();
    for (Step step : steps) {
      switch (step) {
        case Step.Loop(long unitBytes, int chunks, var inner) ->
            ops.add(new Op.Pipeline(unitBytes, chunks, insert(inner)));
        case Step.Act(Op op, Sync sync) -> {
          if (sync.before()) {
            ops.add(new Op.Nop());
          }
          ops.add(op);
          if (sync.after()) {
            ops.add(new Op.Nop());
          }
        }
      }
    }
    return ops;
  }
}
