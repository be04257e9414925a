/** Memory by its addresses, and copies of much of it. */
package dev.jcomms.jccl.internal.memory;
