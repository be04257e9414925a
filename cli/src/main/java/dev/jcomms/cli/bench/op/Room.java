package dev.jcomms.cli.bench.op;

/** How many sections of memory an operation needs to read from and to write to. */
public record Room(int send, int recv) {}
