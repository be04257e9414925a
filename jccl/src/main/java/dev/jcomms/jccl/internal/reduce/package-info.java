/**
 * Reduction kernels: every dtype and operation, each input read once and the result written once.
 *
 * <p>{@link dev.jcomms.jccl.internal.reduce.Reducer} is the way in. A reduction is folded in the
 * order of its terms, in the accumulating type, and rounded once; a NaN in a result is the
 * canonical one. So the bits of a result depend on the inputs and their order alone: not on the
 * machine, not on what has been compiled yet, not on which of two twins computed it.
 *
 * <p>The twins: block kernels in plain Java here, always there and right for any segment; vector
 * loops in {@code simd}, if {@link dev.jcomms.jccl.internal.reduce.Simd} allows them, for native
 * memory, from the moment they are faster.
 */
package dev.jcomms.jccl.internal.reduce;
