/** Algorithms: how collectives are made of what the transports offer. */
package dev.jcomms.jccl.internal.algo;
