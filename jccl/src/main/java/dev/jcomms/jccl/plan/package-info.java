/**
 * Execution plans: what every thread block of every rank does for one collective, as data, in the
 * JSON format of MSCCL++ both ways.
 *
 * <p>A {@link dev.jcomms.jccl.plan.Plan} is read from text or made by the DSL, validated, proved
 * ({@link dev.jcomms.jccl.plan.Proof}), given bytes by a {@link dev.jcomms.jccl.plan.PlanLayout}
 * and run by an executor. Everything here is immutable: any thread may use it.
 */
package dev.jcomms.jccl.plan;
