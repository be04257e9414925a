/**
 * The twin of the block kernels with {@code jdk.incubator.vector}: the only code that links against
 * it, reached only where {@link dev.jcomms.jccl.internal.reduce.Simd} found it.
 *
 * <p>{@code VectorKernel} cuts a reduction into {@code Step}s of up to four operands; one class of
 * loops per lane type runs them, operands in registers. Vector code is fast only if the compiler,
 * when it compiles a loop, knows the operation, so each operation gets its own copy of the class
 * ({@code Specialised}); knows that the segments are native, so the loop itself makes them so
 * ({@code Step}); and has its whole budget for the loop ({@code Loops}).
 */
package dev.jcomms.jccl.internal.reduce.simd;
