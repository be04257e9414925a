/**
 * Gradients: reverse mode, recorded call by call while operators run.
 *
 * <p>A tensor that {@code requiresGrad} makes every result it has a part in require one too; {@code
 * backward} goes through the recorded calls the other way and leaves the sum of what it finds in
 * {@code grad()} of the leaves. Rules are PyTorch's.
 */
package dev.jcomms.tensor.autograd;
