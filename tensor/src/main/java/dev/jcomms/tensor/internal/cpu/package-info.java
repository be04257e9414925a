/**
 * The CPU kernels, one file a family. They know tensors, dtypes and memory, and nothing of schemas,
 * dispatch or gradients.
 *
 * <p>Pointwise operators and reductions compute in one of four carriers ({@code float}, {@code
 * double}, {@code int}, {@code long}), over blocks of elements that lie one after the other; {@link
 * dev.jcomms.tensor.internal.cpu.Convert} brings what is strided or of another dtype into such a
 * block and back.
 */
package dev.jcomms.tensor.internal.cpu;
