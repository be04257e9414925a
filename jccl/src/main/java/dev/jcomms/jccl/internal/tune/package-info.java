/** Measures algorithms against each other. */
package dev.jcomms.jccl.internal.tune;
