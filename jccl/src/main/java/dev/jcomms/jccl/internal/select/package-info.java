/** How an operation gets its algorithm, and how algorithms that are not the engine's run. */
package dev.jcomms.jccl.internal.select;
