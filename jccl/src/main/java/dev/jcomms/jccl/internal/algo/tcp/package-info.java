/**
 * Collectives over messages: the engine, what it makes of an operation, and which algorithm it
 * picks. The algorithms themselves are in the neighbouring packages, one for each collective.
 */
package dev.jcomms.jccl.internal.algo.tcp;
