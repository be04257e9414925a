/** Memory, where the system has more to offer than addresses: files that are shared, fences. */
package dev.jcomms.tensor.internal.memory;
