package dev.jcomms.jccl.internal.dsl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SlicesTest {
  private final Slices slices = new Slices();

  @Test
  void chunksHaveOneLengthAndBeginAtMultiplesOfIt() {
    assertTrue(slices.chunk(2, 2).isEmpty());
    assertTrue(slices.chunk(0, 2).isEmpty());
    assertTrue(slices.chunk(0, 1).isPresent());
    assertTrue(slices.chunk(1, 2).isPresent());
  }

  @Test
  void groupsHaveOneSize() {
    assertTrue(slices.group(3).isEmpty());
    assertTrue(slices.group(3).isEmpty());
    assertTrue(slices.group(1).isPresent());
  }
}
