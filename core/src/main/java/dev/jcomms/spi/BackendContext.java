package dev.jcomms.spi;

import dev.jcomms.store.Store;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a backend is told when it is opened.
 *
 * @param comm the communicator's name, for messages
 * @param rank this rank
 * @param size the number of ranks
 * @param ranks the ranks as ranks of the first communicator this one was split from
 * @param device where the tensors are
 * @param store for meeting the other ranks. Its keys are this communicator's and this backend's
 *     alone, and go when all ranks have closed the communicator in health; it outlives the backend,
 *     which leaves it open
 * @param timeout how long opening may take
 * @param hints of the communicator
 * @param environment of the job, as passed in: read this instead of {@code System.getenv}
 */
public record BackendContext(
    String comm,
    int rank,
    int size,
    List<Integer> ranks,
    Device device,
    Store store,
    Duration timeout,
    Map<String, String> hints,
    Map<String, String> environment) {}
