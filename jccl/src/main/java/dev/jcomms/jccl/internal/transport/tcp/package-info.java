/**
 * TCP between ranks: finding each other, proving who is who, and moving the bytes of collectives.
 *
 * <p>{@link dev.jcomms.jccl.internal.transport.tcp.TcpFabric} is the way in; {@link
 * dev.jcomms.jccl.internal.transport.tcp.Lines} is what collectives use.
 */
package dev.jcomms.jccl.internal.transport.tcp;
