package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums of products by the names of dimensions. Every operand is brought into one order of all
 * names, those of the result first; then operands are contracted two by two, each pair by {@code
 * bmm}.
 */
final class EinsumOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final int LETTERS = 52;

  private EinsumOps() {}

  static void define(Definitions d) {
    d.op("einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor")
        .composite(LOOKUP, "einsum");
  }

  static Tensor einsum(String equation, List<Tensor> tensors, long[] path) {
    if (tensors.isEmpty()) {
      throw new IllegalArgumentException("einsum: there must be an operand");
    }
    String text = equation.replace(" ", "");
    int arrow = text.indexOf("->");
    String[] terms = (arrow < 0 ? text : text.substring(0, arrow)).split(",", -1);
    if (terms.length != tensors.size()) {
      throw new IllegalArgumentException(
          "einsum: '"
              + equation
              + "' has "
              + terms.length
              + " terms for "
              + tensors.size()
              + " operands");
    }
    List<int[]> names = new ArrayList<>();
    int broad = 0; // dims that an ellipsis stands for, at most
    for (int i = 0; i < terms.length; i++) {
      int[] labels = labels(equation, terms[i], tensors.get(i));
      names.add(labels);
      broad = Math.max(broad, (int) Arrays.stream(labels).filter(l -> l < 0).count());
    }
    Map<Integer, Integer> order =
        order(equation, arrow < 0 ? null : text.substring(arrow + 2), names, broad);
    int kept = order.remove(Integer.MAX_VALUE);
    List<Tensor> operands = new ArrayList<>();
    for (int i = 0; i < terms.length; i++) {
      operands.add(aligned(equation, tensors.get(i), names.get(i), order));
    }
    check(equation, operands);
    return contracted(operands, kept, order.size());
  }

  /** Letters by their number; dims of an ellipsis as -1, -2, … from the right. */
  private static int[] labels(String equation, String term, Tensor operand) {
    int dots = term.indexOf("...");
    String letters = term.replace("...", "");
    int dims = operand.shape().dims();
    int hidden = dims - letters.length();
    if (letters.indexOf('.') >= 0 || hidden < 0 || dots < 0 && hidden > 0) {
      throw new IllegalArgumentException(
          "einsum: '"
              + term
              + "' of '"
              + equation
              + "' does not name the dims of "
              + operand.shape());
    }
    int[] labels = new int[dims];
    int at = 0;
    for (int i = 0; i <= letters.length(); i++) {
      if (i == dots) {
        for (int k = hidden; k > 0; k--) {
          labels[at++] = -k;
        }
      }
      if (i < letters.length()) {
        labels[at++] = number(equation, letters.charAt(i));
      }
    }
    return labels;
  }

  private static int number(String equation, char letter) {
    if (letter >= 'A' && letter <= 'Z') {
      return letter - 'A';
    }
    if (letter >= 'a' && letter <= 'z') {
      return letter - 'a' + 26;
    }
    throw new IllegalArgumentException(
        "einsum: '" + letter + "' of '" + equation + "' is not a letter");
  }

  /** Where each name's dim lies; under {@link Integer#MAX_VALUE} how many the result has. */
  private static Map<Integer, Integer> order(
      String equation, String output, List<int[]> names, int broad) {
    int[] count = new int[LETTERS];
    names.forEach(labels -> Arrays.stream(labels).filter(l -> l >= 0).forEach(l -> count[l]++));
    Map<Integer, Integer> order = new HashMap<>();
    if (output == null) { // the ellipsis, then what appears once, by the alphabet
      for (int k = broad; k > 0; k--) {
        order.put(-k, order.size());
      }
      for (int l = 0; l < LETTERS; l++) {
        if (count[l] == 1) {
          order.put(l, order.size());
        }
      }
    } else {
      int dots = output.indexOf("...");
      String letters = output.replace("...", "");
      for (int i = 0; i <= letters.length(); i++) {
        if (i == dots) {
          for (int k = broad; k > 0; k--) {
            order.put(-k, order.size());
          }
        }
        if (i < letters.length()) {
          int l = number(equation, letters.charAt(i));
          if (count[l] == 0 || order.containsKey(l)) {
            throw new IllegalArgumentException(
                "einsum: '"
                    + letters.charAt(i)
                    + "' of the output of '"
                    + equation
                    + "' is not once there and in an operand");
          }
          order.put(l, order.size());
        }
      }
    }
    int kept = order.size();
    for (int k = broad; k > 0; k--) {
      order.putIfAbsent(-k, order.size());
    }
    for (int l = 0; l < LETTERS; l++) {
      if (count[l] > 0) {
        order.putIfAbsent(l, order.size());
      }
    }
    order.put(Integer.MAX_VALUE, kept);
    return order;
  }

  /** The operand with a dim for every name, of size 1 where it has none; a name twice: diagonal. */
  private static Tensor aligned(
      String equation, Tensor operand, int[] labels, Map<Integer, Integer> order) {
    Tensor x = operand;
    List<Integer> left = new ArrayList<>();
    for (int label : labels) {
      int before = left.indexOf(label);
      int dim = left.size();
      if (before < 0) {
        left.add(label);
        continue;
      }
      if (x.shape().size(before) != x.shape().size(dim)) {
        throw new IllegalArgumentException(
            "einsum: a name of '"
                + equation
                + "' stands for sizes "
                + x.shape().size(before)
                + " and "
                + x.shape().size(dim)
                + " of one operand");
      }
      // The diagonal becomes the last dim; it belongs where the name was first.
      x = Ops.movedim(Ops.diagonal(x, 0, before, dim), new long[] {-1}, new long[] {before});
    }
    long[] places = new long[order.size()];
    Arrays.fill(places, -1);
    for (int d = 0; d < left.size(); d++) {
      places[order.get(left.get(d))] = d;
    }
    long[] permutation = Arrays.stream(places).filter(p -> p >= 0).toArray();
    x = Ops.permute(x, permutation);
    for (int d = 0; d < places.length; d++) {
      if (places[d] < 0) {
        x = Ops.unsqueeze(x, d);
      }
    }
    return x;
  }

  private static void check(String equation, List<Tensor> operands) {
    for (int d = 0; d < operands.getFirst().shape().dims(); d++) {
      long size = 1;
      for (Tensor t : operands) {
        long mine = t.shape().size(d);
        if (mine != 1 && size != 1 && mine != size) {
          throw new IllegalArgumentException(
              "einsum: a name of '" + equation + "' stands for sizes " + size + " and " + mine);
        }
        size = mine == 1 ? size : mine;
      }
    }
  }

  private static Tensor contracted(List<Tensor> operands, int kept, int all) {
    Tensor left = operands.getFirst();
    for (int i = 1; i <= operands.size(); i++) {
      Tensor right = i < operands.size() ? operands.get(i) : null;
      boolean[] done = new boolean[all]; // summed here: no later operand has it
      for (int d = kept; d < all; d++) {
        done[d] = true;
        for (int later = i + 1; later < operands.size(); later++) {
          done[d] &= operands.get(later).shape().size(d) == 1;
        }
      }
      left = right == null ? summed(left, done) : product(left, right, done);
    }
    long[] sizes = Arrays.copyOf(left.shape().toArray(), kept);
    return Ops.reshape(left, sizes);
  }

  private static Tensor summed(Tensor x, boolean[] done) {
    long[] over = dims(done, d -> x.shape().size(d) != 1);
    return over.length == 0 ? x : Ops.sum(x, over, true, null);
  }

  /** Of two operands: dims of both are batches, those summed are inner, others rows or columns. */
  private static Tensor product(Tensor left, Tensor right, boolean[] done) {
    int n = done.length;
    boolean[] mine = new boolean[n];
    boolean[] theirs = new boolean[n];
    for (int d = 0; d < n; d++) {
      mine[d] = left.shape().size(d) != 1;
      theirs[d] = right.shape().size(d) != 1;
    }
    Tensor a = summed(left, where(n, d -> done[d] && mine[d] && !theirs[d]));
    Tensor b = summed(right, where(n, d -> done[d] && theirs[d] && !mine[d]));
    boolean[] every = new boolean[n];
    Arrays.fill(every, true);
    long[] inner = dims(every, d -> done[d] && mine[d] && theirs[d]);
    if (inner.length == 0) {
      return Ops.mul(a, b);
    }
    long[] batch = dims(every, d -> !done[d] && mine[d] && theirs[d]);
    long[] rows = dims(every, d -> !done[d] && mine[d] && !theirs[d]);
    long[] columns = dims(every, d -> !done[d] && !mine[d] && theirs[d]);
    long[] ones = dims(every, d -> !mine[d] && !theirs[d] || done[d] && mine[d] != theirs[d]);
    Tensor x = matrices(a, batch, rows, inner, columns, ones);
    Tensor y = matrices(b, batch, inner, columns, rows, ones);
    Tensor z = Ops.bmm(x, y);
    long[] order = join(batch, rows, columns, inner, ones);
    long[] sizes = new long[n];
    long[] back = new long[n];
    for (int i = 0; i < n; i++) {
      int d = (int) order[i];
      sizes[i] =
          i < batch.length + rows.length
              ? a.shape().size(d)
              : i < batch.length + rows.length + columns.length ? b.shape().size(d) : 1;
      back[d] = i;
    }
    return Ops.permute(Ops.reshape(z, sizes), back);
  }

  private static Tensor matrices(
      Tensor t, long[] batch, long[] rows, long[] columns, long[]... singles) {
    Tensor ordered = Ops.permute(t, join(batch, rows, columns, singles[0], singles[1]));
    return Ops.reshape(ordered, count(t, batch), count(t, rows), count(t, columns));
  }

  private static long count(Tensor t, long[] dims) {
    return Arrays.stream(dims).map(d -> t.shape().size((int) d)).reduce(1, (a, b) -> a * b);
  }

  private static long[] join(long[]... parts) {
    return Arrays.stream(parts).flatMapToLong(Arrays::stream).toArray();
  }

  private static boolean[] where(int n, java.util.function.IntPredicate which) {
    boolean[] marks = new boolean[n];
    for (int d = 0; d < n; d++) {
      marks[d] = which.test(d);
    }
    return marks;
  }

  private static long[] dims(boolean[] marks, java.util.function.IntPredicate which) {
    return java.util.stream.IntStream.range(0, marks.length)
        .filter(d -> marks[d] && which.test(d))
        .asLongStream()
        .toArray();
  }
}
