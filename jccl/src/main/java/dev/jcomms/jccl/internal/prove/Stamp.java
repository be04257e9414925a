package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Place;

/**
 * What someone who receives a signal learns: for each actor, the last of its steps that is over,
 * and the last whose writes can be seen. Immutable once made.
 *
 * @param time steps on the longest chain of events that leads to it
 * @param place the op that made it
 */
record Stamp(int[] over, int[] visible, int time, Place place) {}
