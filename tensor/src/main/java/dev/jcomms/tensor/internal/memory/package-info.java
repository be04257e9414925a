/** Memory that tensors are in, where the system has more to offer than addresses. */
package dev.jcomms.tensor.internal.memory;
