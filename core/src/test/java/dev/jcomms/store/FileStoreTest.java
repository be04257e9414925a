package dev.jcomms.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class FileStoreTest extends StoreContract {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @Override
  Store open() {
    return FileStore.open(file(), -1, TIMEOUT);
  }

  @Override
  boolean hasQueues() {
    return false;
  }

  private Path file() {
    return folder.resolve("store");
  }

  @Test
  void theFileIsItsOwnersOnly() throws Exception {
    client();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void theFormatIsPyTorchs() throws Exception {
    Store store = client();
    store.set("a", bytes("xy"));
    store.add("n", 7);
    store.delete("a");
    store.close();
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(file())))
        .isEqualTo(
            record("refcount/", "1")
                + record("/a", "xy")
                + record("/n", "7")
                + record("-/a", "")
                + record("cleanup/", "1")
                + record("refcount/", "0"));
  }

  private static String record(String key, String value) {
    return field(key) + field(value);
  }

  private static String field(String text) {
    return String.format("%02x000000", text.length()) + HexFormat.of().formatHex(bytes(text));
  }

  @Test
  void whoIsInterruptedCountsItselfOutToo() {
    FileStore store = FileStore.open(file(), 1, TIMEOUT);
    store.set("k", bytes("v"));
    Thread.currentThread().interrupt();
    store.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(file()).doesNotExist();
  }

  @Test
  void theLastOfTheWorldRemovesTheFile() {
    FileStore first = FileStore.open(file(), 2, TIMEOUT);
    FileStore second = FileStore.open(file(), 2, TIMEOUT);
    first.close();
    assertThat(file()).exists();
    second.set("k", bytes("v"));
    second.close();
    assertThat(file()).doesNotExist();
  }

  @Test
  void theFileStaysWhileNotAllHaveCome() {
    FileStore.open(file(), 2, TIMEOUT).close();
    assertThat(file()).exists();
    FileStore.open(file(), 2, TIMEOUT).close();
    assertThat(file()).doesNotExist();
  }

  @Test
  void closingAfterTheFileIsGoneMakesNoNewOne() throws Exception {
    Store store = client();
    Files.delete(file());
    store.close();
    assertThat(file()).doesNotExist();
  }

  @Test
  void aFileThatIsNoStoreIsRefusedAndLeftAlone() throws Exception {
    Files.writeString(file(), "something of somebody else's\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("offset 0")
        .hasMessageContaining(file().toString());
    assertThat(Files.readString(file())).isEqualTo("something of somebody else's\n");
  }

  @Test
  void aRecordCutShortIsNamed() throws Exception {
    Store store = client();
    store.set("k", bytes("v"));
    long length = Files.size(file());
    byte[] bytes = Files.readAllBytes(file());
    Files.write(file(), java.util.Arrays.copyOf(bytes, bytes.length + 3));
    assertThatThrownBy(() -> store.get("k"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("offset " + length);
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("none/store");
    assertThatThrownBy(() -> FileStore.open(nowhere))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(nowhere.toString());
  }
}
