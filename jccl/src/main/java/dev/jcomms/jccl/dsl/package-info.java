/**
 * A language for collectives: which thread block of which rank copies, reduces, signals and waits,
 * written down in Java and compiled to an execution plan.
 *
 * <p>{@link dev.jcomms.jccl.dsl.CollectiveProgram#define} is the beginning of every program, and
 * its {@link dev.jcomms.jccl.plan.Plan} the end. {@link dev.jcomms.jccl.dsl.On#on(int)} is best
 * imported statically.
 */
package dev.jcomms.jccl.dsl;
