/** Optimizers: what makes a step out of gradients. Rules and defaults are PyTorch's. */
package dev.jcomms.tensor.optim;
