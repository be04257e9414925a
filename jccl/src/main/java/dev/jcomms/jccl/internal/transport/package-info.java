/**
 * What all transports share: who the ranks are and where, what an operation is as numbers on the
 * wire, how long a wait may take, and what ends every wait at once.
 */
package dev.jcomms.jccl.internal.transport;
