/**
 * Stores: small key-value services through which the ranks of a job find each other.
 *
 * <p>{@link dev.jcomms.store.HashStore} is for ranks that are threads, {@link
 * dev.jcomms.store.TcpStore} and its {@link dev.jcomms.store.TcpStoreServer} for processes and
 * hosts, {@link dev.jcomms.store.FileStore} for processes that share a file system; {@link
 * dev.jcomms.store.PrefixStore} gives each user of a store keys of its own. The last three share
 * content, wire and file formats with {@code torch.distributed}.
 */
package dev.jcomms.store;
