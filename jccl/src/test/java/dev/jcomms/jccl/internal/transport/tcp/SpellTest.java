package dev.jcomms.jccl.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SpellTest {
  private final AtomicInteger looks = new AtomicInteger();

  private boolean goesOn(Spell spell) {
    return spell.goesOn(() -> looks.incrementAndGet() < 0);
  }

  @Test
  void whoHasNoCoreToSpareSleepsAtOnce() {
    assertFalse(goesOn(new Spell(false)));
  }

  @Test
  void aSpellEndsAndBeginsAnewOnceSomethingHasMoved() {
    Spell spell = new Spell(true);
    assertTrue(goesOn(spell));
    while (goesOn(spell)) {
      Thread.onSpinWait();
    }
    assertFalse(goesOn(spell), "nothing has moved since");
    spell.end();
    assertTrue(goesOn(spell));
  }

  @Test
  void whatATurnHasBroughtIsLookedFor() {
    Spell spell = new Spell(true);
    // The clock may jump over a spell, not over all.
    while (looks.get() == 0) {
      if (!goesOn(spell)) {
        spell.end();
      }
    }
  }
}
