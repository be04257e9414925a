package dev.jcomms.jccl.internal.algo.tcp;

/** Everybody is to come before anybody goes. */
public record BarrierTask() {}
