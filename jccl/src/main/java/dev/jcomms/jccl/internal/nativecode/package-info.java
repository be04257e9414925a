/** Sources that become classes of this JVM at run time, and where they are kept. */
package dev.jcomms.jccl.internal.nativecode;
