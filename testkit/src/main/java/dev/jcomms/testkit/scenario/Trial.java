package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Rank;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/**
 * One call of one operation: its tensors, and what must be in them afterwards.
 *
 * <p>Every tensor lies between guards that nobody may write to. Inputs must come out as they went
 * in. Outputs begin as rubbish, so that what was not written shows. Half of the calls block, half
 * are started and awaited, and ranks mix the two.
 */
final class Trial {
  private static final int GUARD = 9;
  private static final byte RUBBISH = (byte) 0xA5;

  /** Where the tensors of a call come from. */
  interface Memory {
    Tensor of(DType dtype, long elements);
  }

  /** A tensor's own. */
  static final Memory ORDINARY = (dtype, elements) -> Tensor.empty(dtype, Shape.of(elements));

  /** A tensor of the call; without an expectation it must stay as it is. */
  private record Held(
      String label,
      Tensor room,
      Tensor tensor,
      byte[] before,
      LongToDoubleFunction expected,
      LongToDoubleFunction slack) {}

  private final Rank rank;
  private final String what;
  private final Memory memory;
  private final List<Held> held = new ArrayList<>();

  /** A call that errors describe as {@code what}: {@code all_reduce sum of 1000 x f32}. */
  Trial(Rank rank, String what) {
    this(rank, what, ORDINARY);
  }

  Trial(Rank rank, String what, Memory memory) {
    this.rank = rank;
    this.what = what;
    this.memory = memory;
  }

  /** A tensor that is read and must not change. */
  Tensor input(String label, DType dtype, long elements, LongToDoubleFunction values) {
    return hold(label, dtype, Shape.of(elements), values, null, null);
  }

  /** As {@link #input}, of any shape. */
  Tensor input(String label, DType dtype, Shape shape, LongToDoubleFunction values) {
    return hold(label, dtype, shape, values, null, null);
  }

  /** A tensor that is written. */
  Tensor output(String label, DType dtype, long elements, LongToDoubleFunction expected) {
    return hold(label, dtype, Shape.of(elements), null, expected, _ -> 0);
  }

  /** As {@link #output}, of any shape. */
  Tensor output(String label, DType dtype, Shape shape, LongToDoubleFunction expected) {
    return hold(label, dtype, shape, null, expected, _ -> 0);
  }

  /** A tensor that is written, with results that may be off by some slack. */
  Tensor output(
      String label,
      DType dtype,
      long elements,
      LongToDoubleFunction expected,
      LongToDoubleFunction slack) {
    return hold(label, dtype, Shape.of(elements), null, expected, slack);
  }

  /** A tensor that is read and then written. */
  Tensor inPlace(
      String label,
      DType dtype,
      long elements,
      LongToDoubleFunction values,
      LongToDoubleFunction expected,
      LongToDoubleFunction slack) {
    return hold(label, dtype, Shape.of(elements), values, expected, slack);
  }

  private Tensor hold(
      String label,
      DType dtype,
      Shape shape,
      LongToDoubleFunction values,
      LongToDoubleFunction expected,
      LongToDoubleFunction slack) {
    long elements = shape.elements();
    Tensor room = memory.of(dtype, elements + 2 * GUARD);
    room.segment().fill(RUBBISH);
    Tensor flat = room.narrow(0, GUARD, elements);
    if (values != null) {
      double[] content = new double[Math.toIntExact(elements)];
      Arrays.setAll(content, values::applyAsDouble);
      flat.copyFrom(Tensor.of(content));
    }
    byte[] before = bytes(flat);
    Tensor tensor = rank.onDevice(flat.view(shape));
    held.add(new Held(label, room, tensor, before, expected, slack));
    return tensor;
  }

  /** Calls the operation and looks at every tensor. */
  void run(Collective op) {
    call(op);
    verify();
  }

  /** Calls the operation. */
  void call(Collective op) {
    if (((what.hashCode() >> 4) + rank.number()) % 2 == 0) {
      rank.comm().run(op, OpOptions.hint("kit", "blocking"));
    } else {
      rank.comm().start(op, OpOptions.DEFAULT).await(rank.patience());
    }
  }

  /** Looks at every tensor. */
  void verify() {
    held.forEach(this::verify);
  }

  private void verify(Held h) {
    Tensor now = rank.onHost(h.tensor()).contiguous();
    if (h.expected() == null) {
      unchanged(h, now);
    } else {
      asExpected(h, now);
    }
    Tensor room = h.room();
    guard(h, room.narrow(0, 0, GUARD), "before");
    guard(h, room.narrow(0, room.elements() - GUARD, GUARD), "after");
  }

  private void unchanged(Held h, Tensor now) {
    byte[] after = bytes(now);
    int at = Arrays.mismatch(h.before(), after);
    if (at >= 0) {
      DType dtype = now.dtype();
      long i = at / dtype.bytes();
      Tensor before = Tensor.wrap(MemorySegment.ofArray(h.before()), dtype, now.shape()).flatten();
      throw wrong(
          h.label()
              + "["
              + i
              + "] was changed from "
              + text(before, i)
              + " to "
              + text(now.flatten(), i)
              + "; it is an input");
    }
  }

  private void asExpected(Held h, Tensor now) {
    double[] actual = now.flatten().toDoubleArray();
    long wrong = 0;
    int first = -1;
    for (int i = 0; i < actual.length; i++) {
      if (!close(actual[i], h.expected().applyAsDouble(i), h.slack(), i)) {
        first = first < 0 ? i : first;
        wrong++;
      }
    }
    if (wrong > 0) {
      throw wrong(
          h.label()
              + "["
              + first
              + "] is "
              + text(now.flatten(), first)
              + stale(h, now, first)
              + "; it should be "
              + number(h.expected().applyAsDouble(first))
              + " ("
              + wrong
              + " of "
              + actual.length
              + " elements are wrong)");
    }
  }

  private static String stale(Held h, Tensor now, int i) {
    int bytes = now.dtype().bytes();
    byte[] after = bytes(now);
    int from = i * bytes;
    return Arrays.equals(h.before(), from, from + bytes, after, from, from + bytes)
        ? ", as it was before the call"
        : "";
  }

  private static boolean close(double actual, double expected, LongToDoubleFunction slack, int i) {
    return Double.isNaN(expected)
        ? Double.isNaN(actual)
        : actual == expected || Math.abs(actual - expected) <= slack.applyAsDouble(i);
  }

  private void guard(Held h, Tensor guard, String where) {
    for (byte b : bytes(guard)) {
      if (b != RUBBISH) {
        throw wrong("memory " + where + " " + h.label() + " was written to");
      }
    }
  }

  /** An error about this call. */
  ConformanceError wrong(String fact) {
    return new ConformanceError(rank + ": " + what + ": " + fact);
  }

  /** Runs a call that is to be refused with this, before anything moves. */
  <E extends Throwable> E refused(Class<E> type, Runnable call) {
    E thrown = Expect.thrown(rank, what, type, call);
    for (Held h : held) {
      unchanged(h, rank.onHost(h.tensor()).contiguous());
    }
    if (thrown instanceof CommException) {
      throw wrong("is refused with a " + thrown + ", as if it had been tried");
    }
    return thrown;
  }

  @Override
  public String toString() {
    return what;
  }

  private static String text(Tensor flat, long i) {
    return number(flat.getDouble(i));
  }

  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  static byte[] bytes(Tensor contiguous) {
    return contiguous.segment().toArray(ValueLayout.JAVA_BYTE);
  }
}
