package dev.jcomms.tensor.internal.cpu;

import java.util.stream.IntStream;

/** The first few of a line by key, in order, without sorting the rest. */
final class Selection {
  private final long[] keys; // a heap: the worst of those kept is at the top
  private final int[] places;
  private int size;

  Selection(int kept) {
    keys = new long[kept];
    places = new int[kept];
  }

  /** Writes the places of the smallest keys, of equal ones the first, into {@code order}. */
  void select(long[] line, int[] order) {
    size = 0;
    for (int i = 0; i < line.length; i++) {
      if (size < keys.length) {
        keys[size] = line[i];
        places[size] = i;
        rise(size++);
      } else if (line[i] < keys[0]) {
        keys[0] = line[i];
        places[0] = i;
        sink();
      }
    }
    int[] sorted =
        IntStream.range(0, size)
            .boxed()
            .sorted((a, b) -> worse(a, b) ? 1 : -1)
            .mapToInt(i -> places[i])
            .toArray();
    System.arraycopy(sorted, 0, order, 0, size);
  }

  private boolean worse(int a, int b) {
    return keys[a] != keys[b] ? keys[a] > keys[b] : places[a] > places[b];
  }

  private void rise(int from) {
    for (int i = from; i > 0 && worse(i, (i - 1) / 2); i = (i - 1) / 2) {
      swap(i, (i - 1) / 2);
    }
  }

  private void sink() {
    for (int i = 0; ; ) {
      int worst = i;
      for (int child = 2 * i + 1; child <= 2 * i + 2 && child < size; child++) {
        worst = worse(child, worst) ? child : worst;
      }
      if (worst == i) {
        return;
      }
      swap(i, worst);
      i = worst;
    }
  }

  private void swap(int a, int b) {
    long key = keys[a];
    keys[a] = keys[b];
    keys[b] = key;
    int place = places[a];
    places[a] = places[b];
    places[b] = place;
  }
}
