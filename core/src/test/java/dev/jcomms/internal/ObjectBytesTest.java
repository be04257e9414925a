package dev.jcomms.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ObjectBytesTest {
  @Test
  void aLengthThatAPeerClaimsIsBounded() {
    assertThatThrownBy(() -> ObjectBytes.room(1L << 40))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("object of bytes=1099511627776; at most 268435456");
    assertThatThrownBy(() -> ObjectBytes.room(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(ObjectBytes.room(0).elements()).isZero();
  }
}
