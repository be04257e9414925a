package dev.jcomms.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PrefixStoreTest extends StoreContract {
  private final HashStore below = HashStore.create();

  @Override
  Store open() {
    return PrefixStore.of("generation 0", below);
  }

  @Test
  void keysBelowHaveThePrefixAndASlash() {
    client().set("k", bytes("v"));
    assertThat(below.get("generation 0/k")).isEqualTo(bytes("v"));
  }

  @Test
  void viewsNestWithTheInnermostLast() {
    Store nested = PrefixStore.of("inner", PrefixStore.of("outer", below));
    nested.set("k", bytes("v"));
    nested.queuePush("q", bytes("1"));
    assertThat(below.listKeys()).containsExactly("outer/inner/k");
    assertThat(below.queueLength("outer/inner/q")).isEqualTo(1);
    assertThat(nested.listKeys()).containsExactly("k");
    assertThat(PrefixStore.of("outer", below).listKeys()).containsExactly("inner/k");
  }

  @Test
  void allKeysAreCountedButOnlyItsOwnAreListed() {
    below.set("elsewhere", bytes(""));
    below.set("generation 0 but not", bytes(""));
    Store view = client();
    view.set("k", bytes(""));
    assertThat(view.numKeys()).isEqualTo(3);
    assertThat(view.listKeys()).isEqualTo(List.of("k"));
  }

  @Test
  void closingAViewLeavesTheStoreOpen() {
    client().close();
    below.set("k", bytes("v"));
    assertThat(below.numKeys()).isEqualTo(1);
  }
}
