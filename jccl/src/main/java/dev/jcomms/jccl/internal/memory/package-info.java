/** Memory by its addresses. */
package dev.jcomms.jccl.internal.memory;
