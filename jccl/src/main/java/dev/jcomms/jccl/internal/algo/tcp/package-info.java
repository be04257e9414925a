/** Collectives over TCP: the engine, the lanes it runs on, and which algorithm it picks. */
package dev.jcomms.jccl.internal.algo.tcp;
