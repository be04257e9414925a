package dev.jcomms.tensor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Where memory is: a device type and an index. Immutable; any thread may use it.
 *
 * <p>The types are {@code cpu}, {@code cuda} and three slots, {@code privateuse1} to {@code
 * privateuse3}, for devices that others bring. A slot can be given a name of its own once per
 * process by {@link #rename}; the name then parses and prints in the slot's place, while {@link
 * #type()}, equality and hashing stay with the slot.
 */
public final class Device {
  /** The host's memory. */
  public static final Device CPU = new Device("cpu", 0);

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

  /** Type to printed name, replaced as a whole under the class's lock, read without one. */
  private static volatile Map<String, String> names =
      Map.of(
          "cpu", "cpu",
          "cuda", "cuda",
          "privateuse1", "privateuse1",
          "privateuse2", "privateuse2",
          "privateuse3", "privateuse3");

  private final String type;
  private final int index;

  /** The dispatch keys of memory here: the backend's, and its autograd key. */
  private final long keys;

  private Device(String type, int index) {
    this.type = type;
    this.index = index;
    int backend =
        switch (type) {
          case "cpu" -> 0;
          case "cuda" -> 1;
          default -> 1 + type.charAt(type.length() - 1) - '0';
        };
    this.keys = 1L << backend | 1L << backend + 5;
  }

  long keys() {
    return keys;
  }

  /** The device that {@code text} names: {@code cpu}, {@code cuda}, {@code cuda:1}. */
  public static Device of(String text) {
    return parse(text);
  }

  /** The device of this type (or renamed slot) and index. */
  public static Device of(String type, int index) {
    String known = typeOf(type, type);
    if (index < 0) {
      throw new IllegalArgumentException(
          "device index=" + index + " of '" + type + "' is negative");
    }
    if (known.equals("cpu")) {
      if (index != 0) {
        throw new IllegalArgumentException("device 'cpu:" + index + "': the cpu has only index 0");
      }
      return CPU;
    }
    return new Device(known, index);
  }

  /**
   * Reads {@code type} or {@code type:index}; a missing index is 0.
   *
   * @throws IllegalArgumentException listing the types that exist
   */
  public static Device parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return of(typeOf(text, text), 0);
    }
    String type = typeOf(text.substring(0, colon), text);
    String index = text.substring(colon + 1);
    if (!INDEX.matcher(index).matches()) {
      throw new IllegalArgumentException(
          "device '" + text + "': index '" + index + "' is not a plain decimal number");
    }
    return of(type, Integer.parseInt(index));
  }

  /**
   * Names a slot, for the whole process: after {@code rename("privateuse1", "tiny")}, {@code
   * tiny:0} parses and prints. The slot's own name keeps parsing. Doing the same rename again is
   * allowed and changes nothing.
   *
   * @throws IllegalArgumentException if there is no such slot, or the name is malformed or taken
   * @throws IllegalStateException if the slot already has another name
   */
  public static void rename(String slot, String name) {
    Devices.load(); // outside the lock: a provider may be naming its slot
    give(slot, name);
  }

  private static synchronized void give(String slot, String name) {
    Map<String, String> now = names;
    if (!slot.startsWith("privateuse") || !now.containsKey(slot)) {
      throw new IllegalArgumentException(
          "device slot '"
              + slot
              + "' cannot be renamed; slots: [privateuse1, privateuse2, privateuse3]");
    }
    String given = now.get(slot);
    if (given.equals(name)) {
      return;
    }
    if (!given.equals(slot)) {
      throw new IllegalStateException(
          "device slot '" + slot + "' is already named '" + given + "'; asked for '" + name + "'");
    }
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("device name '" + name + "' does not match " + NAME);
    }
    if (now.containsKey(name) || now.containsValue(name)) {
      throw new IllegalArgumentException("device name '" + name + "' is taken; in use: " + known());
    }
    Map<String, String> next = new LinkedHashMap<>(now);
    next.put(slot, name);
    names = Map.copyOf(next);
  }

  /** The type: {@code cpu}, {@code cuda} or the slot; never a slot's given name. */
  public String type() {
    return type;
  }

  public int index() {
    return index;
  }

  private static String typeOf(String name, String text) {
    String type = typeOf(name);
    if (type == null) {
      Devices.load(); // a provider may bring the name
      type = typeOf(name);
    }
    if (type != null) {
      return type;
    }
    throw new IllegalArgumentException(
        "device '" + text + "': no device type '" + name + "'; available: " + known());
  }

  /** The type of that name or given name; null if there is none. */
  private static String typeOf(String name) {
    Map<String, String> now = names;
    if (now.containsKey(name)) {
      return name;
    }
    for (var entry : now.entrySet()) {
      if (entry.getValue().equals(name)) {
        return entry.getKey();
      }
    }
    return null;
  }

  private static Iterable<String> known() {
    return names.values().stream().sorted().toList();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Device d && d.index == index && d.type.equals(type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, index);
  }

  /** {@code cpu}, or the type's present name with its index: {@code cuda:0}. */
  @Override
  public String toString() {
    return this.equals(CPU) ? "cpu" : names.get(type) + ":" + index;
  }
}
