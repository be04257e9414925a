/**
 * Runs execution plans on host memory.
 *
 * <p>{@link dev.jcomms.jccl.internal.exec.Executor} is the way in: it prepares a {@link
 * dev.jcomms.jccl.plan.Plan} with all ranks and gives a {@link
 * dev.jcomms.jccl.internal.exec.PreparedPlan} that is run as often as one likes. For each size of
 * message the plan becomes a {@link dev.jcomms.jccl.internal.exec.Program} of steps with all bytes
 * worked out. Thread blocks are not threads: a step that would wait says so and the next block goes
 * on, so any number of blocks makes progress on any number of threads.
 */
package dev.jcomms.jccl.internal.exec;
