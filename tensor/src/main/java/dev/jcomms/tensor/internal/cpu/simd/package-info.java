/**
 * The vector twins of the loops of {@code internal.cpu}: the only code that names {@code
 * jdk.incubator.vector}, loaded where the JVM has that module.
 */
package dev.jcomms.tensor.internal.cpu.simd;
