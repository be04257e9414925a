package dev.jcomms.tensor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The files that golden.py wrote from a real PyTorch. */
final class Golden {
  private Golden() {}

  record Printed(String name, Tensor tensor, String text) {
    @Override
    public String toString() {
      return name;
    }
  }

  record Converted(Tensor source, Tensor target) {
    @Override
    public String toString() {
      return source.dtype() + " to " + target.dtype();
    }
  }

  record Viewed(long[] sizes, long[] strides, long[] newSizes, long[] newStrides) {
    @Override
    public String toString() {
      return Arrays.toString(sizes) + Arrays.toString(strides) + " as " + Arrays.toString(newSizes);
    }
  }

  static List<Printed> printed() {
    List<Printed> cases = new ArrayList<>();
    List<String> lines = lines("printed.txt");
    for (int i = 0; i < lines.size(); ) {
      String name = lines.get(i++);
      String[] head = name.split(" ", -1);
      Shape shape = head[2].isEmpty() ? Shape.scalar() : Shape.of(longs(head[2]));
      String[] data = lines.get(i++).split(" ", -1);
      DType dtype = DType.parse(head[1]);
      Tensor tensor =
          data[0].equals("bytes")
              ? fromHex(dtype, data[1]).view(shape)
              : formula(dtype, shape, Double.parseDouble(data[1]));
      if (lines.get(i).equals("reversed")) {
        i++;
        int dims = shape.dims();
        int[] order = new int[dims];
        Arrays.setAll(order, d -> dims - 1 - d);
        tensor = tensor.permute(order);
      }
      List<String> text = new ArrayList<>();
      while (i < lines.size() && lines.get(i).startsWith("|")) {
        text.add(lines.get(i++).substring(1));
      }
      cases.add(new Printed("#" + cases.size() + " " + name, tensor, String.join("\n", text)));
    }
    return cases;
  }

  static List<Converted> converted() {
    return lines("converted.txt").stream()
        .map(line -> line.split(" "))
        .map(f -> new Converted(fromHex(DType.parse(f[0]), f[2]), fromHex(DType.parse(f[1]), f[3])))
        .toList();
  }

  /** The new strides are null where PyTorch refuses. */
  static List<Viewed> viewed() {
    return lines("viewed.txt").stream()
        .map(line -> Arrays.stream(line.split(" ")).map(Golden::longs).toArray(long[][]::new))
        .map(f -> new Viewed(f[0], f[1], f[2], f[3]))
        .toList();
  }

  private static long[] longs(String list) {
    return list.equals("none")
        ? null
        : Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static Tensor formula(DType dtype, Shape shape, double scale) {
    double[] values = new double[(int) shape.elements()];
    Arrays.setAll(values, i -> (i * 37 % 1009 - 500) * scale);
    return Tensor.wrap(values, shape).to(dtype);
  }

  private static Tensor fromHex(DType dtype, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    return Tensor.wrap(MemorySegment.ofArray(bytes), dtype, Shape.of(bytes.length / dtype.bytes()));
  }

  private static List<String> lines(String file) {
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                Golden.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      return in.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
