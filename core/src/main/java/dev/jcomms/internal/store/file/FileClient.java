package dev.jcomms.internal.store.file;

import dev.jcomms.internal.store.Backoff;
import dev.jcomms.internal.store.Counter;
import dev.jcomms.internal.store.Deadline;
import dev.jcomms.store.FileStore;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;

/** The store's operations, as transactions on a {@link SharedLog}. */
public final class FileClient implements FileStore {
  /** Counts those who have the file open. */
  private static final String OPEN = "refcount/";

  /** Counts those who have closed it. */
  private static final String CLOSED = "cleanup/";

  private static final Logger LOG = System.getLogger(FileClient.class.getName());
  private static final byte[] NONE = {};

  /** How late a call may end that finds the file locked at its deadline. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** How long closing may take where the file is locked. */
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final SharedLog log;
  private final int worldSize;
  private final Duration timeout;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FileClient(SharedLog log, int worldSize, Duration timeout) {
    this.log = log;
    this.worldSize = worldSize;
    this.timeout = timeout;
  }

  /** Opens the file and counts itself in. */
  public static FileClient open(Path path, int worldSize, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    SharedLog log = new SharedLog(path.toAbsolutePath());
    log.write("open", deadline, (values, appender) -> add(values, appender, OPEN, 1));
    return new FileClient(log, worldSize, timeout);
  }

  @Override
  public Path path() {
    return log.path();
  }

  @Override
  public void set(String key, byte[] value) {
    Objects.requireNonNull(value, "value");
    byte[] record = FileRecords.set(fileKey(key), value);
    write("set", key, (_, appender) -> append(appender, record));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return values("get", List.of(key), Deadline.after(timeout)).getFirst();
  }

  @Override
  public long add(String key, long delta) {
    String name = fileKey(key);
    return write("add", key, (values, appender) -> add(values, appender, name, delta));
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(desired, "desired");
    String name = fileKey(key);
    return write(
        "compareSet",
        key,
        (values, appender) -> {
          byte[] present = values.get(name);
          boolean matches =
              present == null ? expected.length == 0 : Arrays.equals(present, expected);
          if (!matches) return (present == null ? expected : present).clone();
          appender.append(FileRecords.set(name, desired));
          return desired.clone();
        });
  }

  @Override
  public void await(List<String> keys, Duration timeout) {
    List<String> names = keys.stream().map(this::fileKey).toList();
    poll("await", keys, Deadline.after(timeout), values -> values.keySet().containsAll(names));
  }

  @Override
  public boolean check(List<String> keys) {
    List<String> names = keys.stream().map(this::fileKey).toList();
    return read("check", keys, (values, _) -> values.keySet().containsAll(names));
  }

  @Override
  public boolean delete(String key) {
    String name = fileKey(key);
    return write(
        "delete",
        key,
        (values, appender) -> {
          if (!values.containsKey(name)) return false;
          appender.append(FileRecords.delete(name));
          return true;
        });
  }

  @Override
  public long numKeys() {
    return listKeys().size();
  }

  @Override
  public void append(String key, byte[] value) {
    String name = fileKey(key);
    Objects.requireNonNull(value, "value");
    write(
        "append",
        key,
        (values, appender) -> {
          byte[] present = values.getOrDefault(name, NONE);
          byte[] joined = Arrays.copyOf(present, Math.addExact(present.length, value.length));
          System.arraycopy(value, 0, joined, present.length, value.length);
          return append(appender, FileRecords.set(name, joined));
        });
  }

  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    return values("multiGet", keys, Deadline.after(timeout));
  }

  @Override
  public void multiSet(Map<String, byte[]> values) {
    Map<String, byte[]> records = new LinkedHashMap<>();
    values.forEach((key, value) -> records.put(key, FileRecords.set(fileKey(key), value)));
    write(
        "multiSet",
        values.keySet(),
        (_, appender) -> {
          for (byte[] record : records.values()) appender.append(record);
          return null;
        });
  }

  @Override
  public List<String> listKeys() {
    return read(
        "listKeys",
        "",
        (values, _) ->
            values.keySet().stream().map(FileRecords::userKey).filter(Objects::nonNull).toList());
  }

  @Override
  public void queuePush(String key, byte[] value) {
    throw noQueues();
  }

  @Override
  public byte[] queuePop(String key, Duration timeout) {
    throw noQueues();
  }

  @Override
  public Optional<byte[]> queuePoll(String key) {
    throw noQueues();
  }

  @Override
  public long queueLength(String key) {
    throw noQueues();
  }

  @Override
  public void barrier(String key, int participants, Duration timeout) {
    String name = fileKey(key);
    Deadline deadline = Deadline.after(timeout);
    log.write(
        describe("barrier", key),
        deadline.orAfter(GRACE),
        (values, appender) -> add(values, appender, name, 1));
    poll(
        "barrier participants=" + participants,
        List.of(key),
        deadline,
        values -> count(values.get(name)) >= participants);
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  /**
   * Counts itself out; the last one of the world removes the file. A file that does not let itself
   * be written any more stays as it is: nothing of the caller's is lost by that.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true) || !Files.exists(path())) return;
    boolean interrupted = Thread.interrupted(); // nobody else will count it out
    try {
      log.write("close", Deadline.after(CLOSE), this::countOut);
    } catch (StoreException e) {
      LOG.log(Level.DEBUG, "file store was not counted out", e);
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private Void countOut(Map<String, byte[]> values, SharedLog.Appender appender)
      throws IOException {
    long finished = add(values, appender, CLOSED, 1);
    long open = add(values, appender, OPEN, -1);
    if (worldSize >= 0 && open == 0 && finished >= worldSize) log.remove();
    return null;
  }

  @Override
  public String toString() {
    return "file " + path();
  }

  private List<byte[]> values(String operation, List<String> keys, Deadline deadline) {
    List<String> names = keys.stream().map(this::fileKey).toList();
    return poll(
        operation,
        keys,
        deadline,
        values -> values.keySet().containsAll(names),
        values -> names.stream().map(name -> values.get(name).clone()).toList());
  }

  private void poll(
      String operation, List<String> keys, Deadline deadline, Predicate<Map<String, byte[]>> done) {
    poll(operation, keys, deadline, done, _ -> true);
  }

  /** Looks until {@code done}, then returns what {@code result} makes of the same look. */
  private <T> T poll(
      String operation,
      List<String> keys,
      Deadline deadline,
      Predicate<Map<String, byte[]>> done,
      Function<Map<String, byte[]>, T> result) {
    for (Backoff backoff = new Backoff(deadline); ; backoff.pause()) {
      T found =
          log.read(
              describe(operation, keys),
              deadline.orAfter(GRACE),
              (values, _) -> done.test(values) ? result.apply(values) : null);
      if (found != null) return found;
      requireOpen();
      if (deadline.passed()) throw timedOut(operation, keys, deadline);
    }
  }

  private StoreTimeoutException timedOut(String operation, List<String> keys, Deadline deadline) {
    List<String> missing =
        log.read(
            operation,
            Deadline.after(GRACE),
            (values, _) -> keys.stream().filter(k -> !values.containsKey(fileKey(k))).toList());
    return new StoreTimeoutException(
        operation, missing.isEmpty() ? keys : missing, deadline.timeout(), toString());
  }

  private <T> T read(String operation, Object subject, SharedLog.Transaction<T> body) {
    requireOpen();
    return log.read(describe(operation, subject), Deadline.after(timeout), body);
  }

  private <T> T write(String operation, Object subject, SharedLog.Transaction<T> body) {
    requireOpen();
    return log.write(describe(operation, subject), Deadline.after(timeout), body);
  }

  private static Void append(SharedLog.Appender appender, byte[] record) throws IOException {
    appender.append(record);
    return null;
  }

  private static long add(
      Map<String, byte[]> values, SharedLog.Appender appender, String name, long delta)
      throws IOException {
    long sum = count(values.get(name)) + delta;
    appender.append(FileRecords.set(name, Counter.format(sum)));
    return sum;
  }

  /** A counter's value; here, as in PyTorch's FileStore, an empty one is 0. */
  private static long count(byte[] value) {
    return value == null || value.length == 0 ? 0 : Counter.parse(value);
  }

  private void requireOpen() {
    if (closed.get()) throw new IllegalStateException("store is closed: " + this);
  }

  private String fileKey(String key) {
    requireOpen();
    return FileRecords.fileKey(Objects.requireNonNull(key, "key"));
  }

  private static String describe(String operation, Object subject) {
    return operation + " " + subject;
  }

  private static UnsupportedOperationException noQueues() {
    return new UnsupportedOperationException(
        "a file store has no queues; HashStore and TcpStore have");
  }
}
