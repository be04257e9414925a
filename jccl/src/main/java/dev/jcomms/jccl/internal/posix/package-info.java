/** The few system calls and kernel files that Java has no other way to. */
package dev.jcomms.jccl.internal.posix;
