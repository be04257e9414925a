/**
 * What one rank sends to one other outside collectives: sends and receives, windows, and news of
 * failures.
 *
 * <p>{@link dev.jcomms.jccl.internal.mail.Mailroom} is the way in. Ranks of one JVM hand tensors to
 * each other directly; all others write frames into a {@link dev.jcomms.jccl.internal.mail.Pipe},
 * through shared memory or through a socket, and one protocol serves both.
 */
package dev.jcomms.jccl.internal.mail;
