package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;

/**
 * What a mailroom reaches its peers by.
 *
 * @param rings {@link Mailroom#ringBytes} of zeros that all ranks of the host share, for peers that
 *     are reached through shared memory; null if there are none
 * @param localKey a text that is the same on all ranks of the communicator and no other's
 * @param sockets a connected, authenticated channel to each peer that is reached through a socket;
 *     it is the mailroom's from then on
 * @param heartbeat how long a peer at the other end of a socket may be silent
 * @param caller calls a peer at the other end of a socket over a new connection, and runs what it
 *     is given if the peer itself answers; does not wait
 * @param liveness raises the alarm if another process of the host is gone; called now and then by
 *     who waits
 * @param shared memory that the ranks of the host can reach in each other
 */
public record Means(
    MemorySegment rings,
    String localKey,
    IntFunction<SocketChannel> sockets,
    Duration heartbeat,
    ObjIntConsumer<Runnable> caller,
    Runnable liveness,
    SharedMemory shared) {}
