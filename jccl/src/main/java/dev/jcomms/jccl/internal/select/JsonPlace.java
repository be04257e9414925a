package dev.jcomms.jccl.internal.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A place in a JSON tree that knows its path: what is wrong there is told with it. */
final class JsonPlace {
  /** Of what was found instead; the text may be anybody's. */
  private static final int SHOWN = 60;

  private final JsonPlace parent;
  private final String key;
  private final int index;
  private final Object value;

  private JsonPlace(JsonPlace parent, String key, int index, Object value) {
    this.parent = parent;
    this.key = key;
    this.index = index;
    this.value = value;
  }

  static JsonPlace root(Object value) {
    return new JsonPlace(null, null, 0, value);
  }

  /** As {@code profiles[0].sku}. */
  String path() {
    if (parent == null) {
      return "";
    }
    String before = parent.path();
    if (key == null) {
      return before + "[" + index + "]";
    }
    return before.isEmpty() ? shortened(key) : before + "." + shortened(key);
  }

  IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException((parent == null ? "the text" : path()) + ": " + problem);
  }

  private IllegalArgumentException isNot(String wanted) {
    if (value == null) {
      return wrong(wanted + " is missing");
    }
    String found = value instanceof String text ? "'" + text + "'" : value.toString();
    return wrong(wanted + ", not " + shortened(found));
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /** An object that has no other keys than these. */
  JsonPlace known(List<String> keys) {
    for (String present : keys()) {
      if (!keys.contains(present)) {
        throw at(present).wrong("no such key; there are " + String.join(", ", keys));
      }
    }
    return this;
  }

  /** Of an object. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (Object name : object().keySet()) {
      keys.add((String) name);
    }
    return keys;
  }

  private Map<?, ?> object() {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw isNot("an object");
  }

  boolean has(String name) {
    return object().containsKey(name);
  }

  /** What an object has under a key, if anything. */
  JsonPlace at(String name) {
    return new JsonPlace(this, name, 0, object().get(name));
  }

  /** Of a list. */
  List<JsonPlace> items() {
    if (!(value instanceof List<?> list)) {
      throw isNot("a list");
    }
    List<JsonPlace> items = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      items.add(new JsonPlace(this, null, i, list.get(i)));
    }
    return items;
  }

  String text() {
    if (value instanceof String text) {
      return text;
    }
    throw isNot("text");
  }

  /** A whole number between two, both included. */
  long whole(long least, long most) {
    if (value instanceof Long number && number >= least && number <= most) {
      return number;
    }
    throw isNot("a whole number from " + least + " to " + most);
  }

  /** A count of 31 bits. */
  int count(int least) {
    return (int) whole(least, Integer.MAX_VALUE);
  }

  boolean flag() {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw isNot("true or false");
  }

  /** A number that is not negative and not beyond all bounds. */
  double time() {
    if (value instanceof Number number
        && number.doubleValue() >= 0
        && number.doubleValue() < Double.POSITIVE_INFINITY) {
      return number.doubleValue();
    }
    throw isNot("a time");
  }

  /** One of some, by its text. */
  <T> T oneOf(List<T> values) {
    for (T candidate : values) {
      if (candidate.toString().equals(value)) {
        return candidate;
      }
    }
    throw isNot("one of " + values);
  }
}
