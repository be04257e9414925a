package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

final class ReduceOpTest {

  /** Has the types around reduce ops for itself, not yet initialised. */
  private static final class Afresh extends ClassLoader {
    Afresh() {
      super(ReduceOp.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(ReduceOp.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
      try (InputStream in = ReduceOp.class.getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void theConstantsAreThereWhicheverTypeIsUsedFirst() throws Exception {
    ClassLoader afresh = new Afresh();
    Class.forName(ReduceOp.Standard.class.getName(), true, afresh);
    Class<?> type = Class.forName(ReduceOp.class.getName(), true, afresh);
    assertThat(type.getField("SUM").get(null)).isNotNull();
    assertThat(type.getField("AVG").get(null)).isNotNull();
  }

  @Test
  void anOperationIsDefinedForTheTypesThatItMakesSenseFor() {
    assertThat(ReduceOp.SUM.accepts(DType.BF16)).isTrue();
    assertThat(ReduceOp.SUM.accepts(DType.F8E4M3)).isFalse();
    assertThat(ReduceOp.BXOR.accepts(DType.I32)).isTrue();
    assertThat(ReduceOp.BXOR.accepts(DType.F32)).isFalse();
    assertThat(ReduceOp.AVG.accepts(DType.BOOL)).isFalse();
    assertThat(ReduceOp.premulSum(2).accepts(DType.F64)).isTrue();
    assertThat(ReduceOp.premulSum(2).accepts(DType.I64)).isFalse();
    assertThat(ReduceOp.premulSum(2).accepts(DType.F8E5M2)).isFalse();
  }
}
