package dev.jcomms.jccl.internal.dsl;

import static dev.jcomms.jccl.internal.dsl.Steps.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jcomms.jccl.plan.Op;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataSyncTest {
  @Test
  void meetingsBecomeNopsWhereTheyWereAsked() {
    assertEquals(
        List.of(nop(), signal(0), nop(), signal(1), await(0), nop(), put(i(0), r(0)), await(1)),
        DataSync.insert(
            List.of(
                step(signal(0), BEFORE),
                step(signal(1), BEFORE),
                step(await(0), AFTER),
                step(put(i(0), r(0))),
                step(await(1), Sync.NONE))));
  }

  @Test
  void insideLoopsToo() {
    assertEquals(
        List.of(new Op.Pipeline(1024, 1, List.of(nop(), signal(0), nop()))),
        DataSync.insert(List.of(loop(step(signal(0), Sync.BOTH)))));
  }
}
