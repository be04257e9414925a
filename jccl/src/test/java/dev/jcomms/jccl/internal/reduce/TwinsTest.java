package dev.jcomms.jccl.internal.reduce;

import static dev.jcomms.jccl.internal.reduce.Cases.assertBytes;
import static dev.jcomms.jccl.internal.reduce.Cases.factors;
import static dev.jcomms.jccl.internal.reduce.Cases.inputs;
import static dev.jcomms.jccl.internal.reduce.Cases.terms;
import static dev.jcomms.jccl.internal.reduce.Cases.twins;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.simd.VectorKernels;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scalar and the vector kernels give the bits of the oracle, and so each other's. */
class TwinsTest {
  private static final String REDUCTIONS = "dev.jcomms.jccl.internal.reduce.Cases#reductions";
  private static final int[] WAYS = {1, 2, 3, 4, 5, 8};
  private static final int[] LENGTHS = {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 1000, 4099};
  private static final int MOST = 4099;
  private static final byte UNTOUCHED = 0x5a;

  @Test
  void thereAreTwoOfThem() {
    assertThat(twins(DType.F32, DType.F32, ReduceOp.SUM)).hasSize(2);
    assertThat(Simd.description()).matches("jdk\\.incubator\\.vector, \\d+ bits \\(.+\\)");
  }

  @ParameterizedTest
  @MethodSource(REDUCTIONS)
  void everyLengthAndAlignment(DType dtype, ReduceOp op) {
    for (Kernel kernel : twins(dtype, dtype, op)) {
      for (int n : WAYS) {
        byte[][] inputs = inputs(dtype, n, MOST);
        byte[] expected = Oracle.reduce(dtype, op, inputs, factors(n));
        try (Arena arena = Arena.ofShared()) {
          for (int length : LENGTHS) {
            for (int shift : new int[] {0, 1, dtype.bytes()}) {
              long bytes = (long) length * dtype.bytes();
              MemorySegment out = arena.allocate(bytes + 16, 16).fill(UNTOUCHED);
              Terms terms = terms(arena, inputs, factors(n), bytes, shift);
              kernel.run(terms, out, shift, 0, length, n);
              String what = "n=%d length=%d shift=%d %s".formatted(n, length, shift, kernel);
              assertBytes(out.asSlice(shift), expected, bytes, what);
              byte after = out.get(ValueLayout.JAVA_BYTE, shift + bytes);
              assertThat(after).as(what).isEqualTo(UNTOUCHED);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(REDUCTIONS)
  void oneRowMayLieElsewhereAndBeOverwritten(DType dtype, ReduceOp op) {
    PlainRows plain = op instanceof ReduceOp.Standard s ? PlainRows.of(dtype, s) : null;
    if (plain == null) {
      return; // rows of this type are nothing special
    }
    RowKernel vectors = VectorKernels.rows(dtype, (ReduceOp.Standard) op, plain);
    for (int n : WAYS) {
      byte[][] inputs = inputs(dtype, n, MOST);
      byte[] expected = Oracle.reduce(dtype, op, inputs, factors(n));
      for (int length : LENGTHS) {
        long bytes = (long) length * dtype.bytes();
        for (int mine : new int[] {0, n / 2, n - 1}) {
          for (RowKernel kernel : List.of(plain, vectors)) {
            try (Arena arena = Arena.ofShared()) {
              // What is in the table in place of that row must not matter.
              MemorySegment table = arena.allocate(n * bytes, 16).fill(UNTOUCHED);
              MemorySegment own = arena.allocate(bytes + 16, 16).fill(UNTOUCHED);
              for (int row = 0; row < n; row++) {
                MemorySegment to = row == mine ? own : table.asSlice(row * bytes);
                MemorySegment.copy(MemorySegment.ofArray(inputs[row]), 0, to, 0, bytes);
              }
              kernel.run(table.address(), bytes, n, mine, own.address(), own.address(), length, n);
              String what = "n=%d length=%d mine=%d %s".formatted(n, length, mine, kernel);
              assertBytes(own, expected, bytes, what);
              assertThat(own.get(ValueLayout.JAVA_BYTE, bytes)).as(what).isEqualTo(UNTOUCHED);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(REDUCTIONS)
  void rowsAreFoldedAsTermsAre(DType dtype, ReduceOp op) {
    PlainRows plain = op instanceof ReduceOp.Standard s ? PlainRows.of(dtype, s) : null;
    if (plain == null) {
      return; // rows of this type are nothing special
    }
    RowKernel vectors = VectorKernels.rows(dtype, (ReduceOp.Standard) op, plain);
    for (int n : WAYS) {
      byte[][] inputs = inputs(dtype, n, MOST);
      byte[] expected = Oracle.reduce(dtype, op, inputs, factors(n));
      for (int length : LENGTHS) {
        for (int shift : new int[] {0, 1, dtype.bytes()}) {
          long bytes = (long) length * dtype.bytes();
          long stride = bytes + 24;
          try (Arena arena = Arena.ofShared()) {
            MemorySegment table = arena.allocate(shift + n * stride, 16);
            for (int row = 0; row < n; row++) {
              MemorySegment.copy(
                  MemorySegment.ofArray(inputs[row]), 0, table, shift + row * stride, bytes);
            }
            for (RowKernel kernel : List.of(plain, vectors)) {
              MemorySegment out = arena.allocate(bytes + 16, 16).fill(UNTOUCHED);
              long first = table.address() + shift;
              long at = out.address() + shift;
              kernel.run(first, stride, n, 0, first, at, length, n);
              String what = "n=%d length=%d shift=%d %s".formatted(n, length, shift, kernel);
              assertBytes(out.asSlice(shift), expected, bytes, what);
              assertThat(out.get(ValueLayout.JAVA_BYTE, shift + bytes))
                  .as(what)
                  .isEqualTo(UNTOUCHED);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(REDUCTIONS)
  void theResultMayReplaceAnyTerm(DType dtype, ReduceOp op) {
    int length = Scratch.MEMORY_ELEMENTS + 5;
    int n = 6;
    byte[][] inputs = inputs(dtype, n, length);
    byte[] expected = Oracle.reduce(dtype, op, inputs, factors(n));
    long bytes = (long) length * dtype.bytes();
    for (Kernel kernel : twins(dtype, dtype, op)) {
      for (int replaced = 0; replaced < n; replaced++) {
        try (Arena arena = Arena.ofShared()) {
          Terms terms = terms(arena, inputs, factors(n), bytes, 0);
          kernel.run(terms, terms.segment(replaced), 0, 0, length, n);
          assertBytes(terms.segment(replaced), expected, bytes, kernel + " term " + replaced);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(REDUCTIONS)
  void heapMemoryIsAsGoodAsAny(DType dtype, ReduceOp op) {
    byte[][] inputs = inputs(dtype, 2, MOST);
    byte[] expected = Oracle.reduce(dtype, op, inputs, factors(2));
    for (Kernel kernel : twins(dtype, dtype, op)) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment out = MemorySegment.ofArray(inputs[1].clone());
        MemorySegment first =
            arena.allocate(expected.length).copyFrom(MemorySegment.ofArray(inputs[0]));
        Terms terms = new Terms().add(first, 0, factors(2)[0]).add(out, 0, factors(2)[1]);
        kernel.run(terms, out, 0, 0, MOST, 2);
        assertBytes(out, expected, expected.length, "heap");
      }
    }
  }

  @Test
  void mappedMemoryIsAsGoodAsAny(@TempDir Path folder) throws IOException {
    byte[][] inputs = inputs(DType.F32, 2, MOST);
    byte[] expected = Oracle.reduce(DType.F32, ReduceOp.SUM, inputs, factors(2));
    for (Kernel kernel : twins(DType.F32, DType.F32, ReduceOp.SUM)) {
      try (Arena arena = Arena.ofShared();
          FileChannel file =
              FileChannel.open(
                  folder.resolve("shared"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE)) {
        MemorySegment map =
            file.map(FileChannel.MapMode.READ_WRITE, 0, 2L * expected.length, arena);
        map.asSlice(0, expected.length).copyFrom(MemorySegment.ofArray(inputs[0]));
        Terms terms = new Terms().add(map.asReadOnly(), 0);
        terms.add(arena.allocate(expected.length).copyFrom(MemorySegment.ofArray(inputs[1])), 0);
        kernel.run(terms, map, expected.length, 0, MOST, 2);
        assertBytes(map.asSlice(expected.length), expected, expected.length, "mapped");
      }
    }
  }

  /** Each 16-bit pattern with three others: every rounding, tie, overflow and NaN there is. */
  @Test
  void smallFloatsRoundOnce() {
    int patterns = 1 << 16;
    for (DType dtype : List.of(DType.F16, DType.BF16)) {
      byte[][] inputs = new byte[2][2 * patterns];
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < patterns; i++) {
          int partner = i * 40503 + round * 7919;
          inputs[0][2 * i] = (byte) i;
          inputs[0][2 * i + 1] = (byte) (i >>> 8);
          inputs[1][2 * i] = (byte) partner;
          inputs[1][2 * i + 1] = (byte) (partner >>> 8);
        }
        for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.AVG)) {
          byte[] expected = Oracle.reduce(dtype, op, inputs, factors(2));
          for (Kernel kernel : twins(dtype, dtype, op)) {
            try (Arena arena = Arena.ofShared()) {
              Terms terms = terms(arena, inputs, factors(2), 2L * patterns, 0);
              MemorySegment out = arena.allocate(2L * patterns);
              kernel.run(terms, out, 0, 0, patterns, 2);
              assertBytes(out, expected, 2L * patterns, dtype + " " + op);
            }
          }
        }
      }
    }
  }

  /** The ways between a dtype and the type of its partial results. */
  @Test
  void twinsConvertAlike() {
    DType[][] ways = {{DType.BF16, DType.F32}, {DType.F32, DType.BF16}};
    for (DType[] way : ways) {
      for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MAX)) {
        for (int n : WAYS) {
          try (Arena arena = Arena.ofShared()) {
            byte[][] inputs = inputs(way[0], n, MOST);
            Terms terms = terms(arena, inputs, factors(n), inputs[0].length, 0);
            long bytes = (long) MOST * way[1].bytes();
            byte[] expected = new byte[(int) bytes];
            List<Kernel> twins = twins(way[0], way[1], op);
            twins.getFirst().run(terms, MemorySegment.ofArray(expected), 0, 0, MOST, n);
            MemorySegment out = arena.allocate(bytes);
            twins.getLast().run(terms, out, 0, 0, MOST, n);
            assertBytes(out, expected, bytes, "%s to %s n=%d".formatted(way[0], way[1], n));
          }
        }
      }
    }
  }

  @Test
  void confinedMemoryIsAsGoodAsAny() {
    byte[][] inputs = inputs(DType.F32, 2, MOST);
    byte[] expected = Oracle.reduce(DType.F32, ReduceOp.SUM, inputs, factors(2));
    for (Kernel kernel : twins(DType.F32, DType.F32, ReduceOp.SUM)) {
      try (Arena arena = Arena.ofConfined()) {
        Terms terms = terms(arena, inputs, factors(2), expected.length, 0);
        kernel.run(terms, terms.segment(0), 0, 0, MOST, 2);
        assertBytes(terms.segment(0), expected, expected.length, "confined");
      }
    }
  }

  @Test
  void memoryThatIsGoneIsAnErrorAndNotACrash() {
    Arena arena = Arena.ofShared();
    Terms terms = new Terms();
    terms.add(arena.allocate(1 << 16), 0).add(arena.allocate(1 << 16), 0);
    MemorySegment out = Arena.ofAuto().allocate(1 << 16);
    arena.close();
    for (Kernel kernel : twins(DType.F32, DType.F32, ReduceOp.SUM)) {
      assertThatThrownBy(() -> kernel.run(terms, out, 0, 0, 1 << 14, 2))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
