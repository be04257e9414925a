/**
 * Tensors: typed, strided views over memory that Java, native code or a device owns.
 *
 * <p>A {@link dev.jcomms.tensor.Tensor} is a small immutable header (dtype, shape, strides, offset)
 * over a {@link dev.jcomms.tensor.Storage}; views share the storage. Names and rules are PyTorch's
 * wherever PyTorch has them, so that what is known there holds here.
 */
package dev.jcomms.tensor;
