package dev.jcomms.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StoreKeysTest {
  private final HashStore store = HashStore.create();
  private final StoreKeys zero = new StoreKeys("job/main/1");
  private final StoreKeys one = new StoreKeys("job/main/1");

  @Test
  void theLastToCloseTakesDownWhatAllHaveMade() {
    Store mine = zero.below("core", store);
    mine.set("set", new byte[0]);
    mine.add("add", 1);
    mine.append("append", new byte[1]);
    mine.compareSet("compareSet", new byte[0], new byte[1]);
    one.below("backend/x", store).multiSet(Map.of("a", new byte[1], "b", new byte[2]));
    store.set("job/main/2/core/set", new byte[0]);

    zero.clear(store, 2);
    assertThat(mine.listKeys()).containsExactlyInAnyOrder("set", "add", "append", "compareSet");
    one.clear(store, 2);
    assertThat(store.listKeys()).containsExactly("job/main/2/core/set");
  }

  @Test
  void whatWasDeletedBeforeMayHaveAnotherOwner() {
    Store mine = zero.below("core", store);
    mine.set("a", new byte[0]);
    mine.set("b", new byte[0]);
    mine.delete("a");
    mine.multiDelete(List.of("b"));
    one.clear(store, 2);
    store.set("job/main/1/core/a", new byte[0]);
    store.set("job/main/1/core/b", new byte[0]);
    zero.clear(store, 2);
    assertThat(mine.listKeys()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void keysOfOthersStayWhoeverNamesThem() {
    store.set("precious", new byte[0]);
    store.set("job/main/10/core/a", new byte[0]);
    store.set("job/main/1/made", "precious\0job/main/10/core/a\0".getBytes());
    zero.clear(store, 2);
    one.clear(store, 2);
    assertThat(store.listKeys()).containsExactlyInAnyOrder("precious", "job/main/10/core/a");
  }

  @Test
  void whoMakesTooManyLeavesTheRestAlone() {
    Store mine = zero.below("core", store);
    IntStream.range(0, 10_005).forEach(i -> mine.set("key" + i, new byte[0]));
    one.below("core", store).set("one", new byte[0]);
    zero.clear(store, 2);
    one.clear(store, 2);
    assertThat(mine.listKeys()).hasSize(5).doesNotContain("one");
  }
}
