/**
 * Memory that the ranks of a host share, and how they meet there: boards with flags and small
 * payloads, stages for larger ones, and knowing who is alive.
 */
package dev.jcomms.jccl.internal.transport.shm;
