package dev.jcomms.jccl.internal.exec;

import java.lang.foreign.MemorySegment;

/** Copies data to one or more places: {@code copy}, {@code put}, {@code get}, {@code gstore}. */
final class MoveStep extends Step {
  private final Spot source;
  private final Spot[] destinations;
  private final Fetch fetch;
  private boolean moved;

  MoveStep(Spot source, Spot... destinations) {
    this.source = source;
    this.destinations = destinations;
    this.fetch = new Fetch(source);
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    long start = Math.min(from, source.bytes());
    long bytes = Math.min(most, source.bytes() - start);
    if (!moved) {
      if (!reaches(launch) || !fetch.isThere(launch, block, start, bytes)) {
        return false;
      }
      for (Spot destination : destinations) {
        move(launch, block, destination, start, bytes);
      }
      moved = true;
    }
    if (!block.isSent()) {
      return false;
    }
    reset();
    return true;
  }

  private boolean reaches(Launch launch) {
    for (Spot destination : destinations) {
      if (!launch.reaches(destination)) {
        return false;
      }
    }
    return launch.reaches(source);
  }

  private void move(Launch launch, Block block, Spot destination, long start, long bytes) {
    if (bytes == 0) {
      return;
    }
    MemorySegment from = fetch.segment(launch);
    long at = fetch.at(launch, start);
    if (launch.isFar(destination)) {
      long there = launch.farAt(destination) + start;
      block.send(launch.memory().far().put(from, at, bytes, destination.rank(), there));
    } else {
      MemorySegment to = launch.segment(destination);
      MemorySegment.copy(from, at, to, launch.at(destination) + start, bytes);
    }
  }

  @Override
  Awaited awaited(Launch launch) {
    for (Spot destination : destinations) {
      if (!launch.reaches(destination) || moved && launch.isFar(destination)) {
        return new Awaited(destination.toString(), destination.rank());
      }
    }
    return new Awaited(source.toString(), source.rank());
  }

  @Override
  void reset() {
    moved = false;
    fetch.reset();
  }
}
