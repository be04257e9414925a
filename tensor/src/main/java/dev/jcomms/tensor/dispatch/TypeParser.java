package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.dispatch.SchemaType.Base;
import dev.jcomms.tensor.dispatch.SchemaType.DictOf;
import dev.jcomms.tensor.dispatch.SchemaType.ListOf;
import dev.jcomms.tensor.dispatch.SchemaType.OptionalOf;
import dev.jcomms.tensor.dispatch.SchemaType.RemoteOf;
import dev.jcomms.tensor.dispatch.SchemaType.TupleOf;
import dev.jcomms.tensor.dispatch.SchemaType.UnionOf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Types with their alias annotations. A word in lower case that names no type is a variable. */
final class TypeParser {
  /** Deep enough for anything written by hand, shallow enough for any thread's stack. */
  static final int MAX_DEPTH = 32;

  private static final Map<String, SchemaType> NAMED = new HashMap<>();

  static {
    for (Base base : Base.values()) NAMED.put(base.toString(), base);
    NAMED.put("None", Base.NONE);
    NAMED.put("DeviceIndex", Base.INT);
    NAMED.put("ConstQuantizerPtr", Base.INT);
  }

  private final SchemaScanner in;

  TypeParser(SchemaScanner in) {
    this.in = in;
  }

  /** A type as an argument has it: only here a list may have a size, as its last dimension. */
  AliasedType argumentType() {
    AliasedType type = type(0);
    if (!in.take("[")) return type;
    int at = in.position();
    String digits = in.atNumber() ? in.number() : "";
    int size = size(digits, at);
    in.expect("]");
    AliasedType list = listOf(type, size);
    return in.take("?") ? optional(list) : list;
  }

  private int size(String digits, int at) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw in.error(at, "expected a list's size or ']'");
    }
  }

  private AliasedType type(int depth) {
    int at = in.position();
    if (depth > MAX_DEPTH) throw tooDeep(at);
    AliasedType type = new AliasedType(unannotated(depth), alias(), null);
    int wrapped = depth;
    while (true) {
      if (in.take("?")) {
        if (!(type.type() instanceof OptionalOf)) wrapped++;
        type = optional(type);
      } else if (in.takeBrackets()) {
        wrapped++;
        type = listOf(type, ListOf.ANY_SIZE);
      } else {
        return type;
      }
      if (wrapped > MAX_DEPTH) throw tooDeep(at);
    }
  }

  private SchemaException tooDeep(int at) {
    return in.error(at, "types nested deeper than " + MAX_DEPTH);
  }

  private AliasedType listOf(AliasedType element, int size) {
    Alias inner = element.alias() != null ? element.alias() : element.elementAlias();
    return new AliasedType(new ListOf(element.type(), size), alias(), inner);
  }

  private static AliasedType optional(AliasedType type) {
    if (type.type() instanceof OptionalOf) return type;
    return new AliasedType(new OptionalOf(type.type()), type.alias(), type.elementAlias());
  }

  private SchemaType unannotated(int depth) {
    if (in.take("(")) return new TupleOf(types(depth));
    int at = in.position();
    String word = in.word("a type");
    return switch (word) {
      case "Dict" -> dict(at, elements(depth));
      case "Union" -> union(at, elements(depth));
      case "Future", "Await", "RRef" -> remote(at, word, elements(depth));
      case "__torch__" -> registered();
      default -> named(at, word);
    };
  }

  private List<SchemaType> elements(int depth) {
    in.expect("(");
    return types(depth);
  }

  /**
   * Types up to the closing parenthesis. Annotations inside are read, and dropped as in PyTorch.
   */
  private List<SchemaType> types(int depth) {
    List<SchemaType> types = new ArrayList<>();
    if (in.take(")")) return types;
    do {
      types.add(type(depth + 1).type());
    } while (in.take(","));
    in.expect(")");
    return types;
  }

  private SchemaType dict(int at, List<SchemaType> types) {
    if (types.size() != 2) throw in.error(at, "Dict takes a key and a value type, not " + types);
    return new DictOf(types.get(0), types.get(1));
  }

  private SchemaType remote(int at, String holder, List<SchemaType> types) {
    if (types.size() != 1) throw in.error(at, holder + " takes one type, not " + types);
    return new RemoteOf(holder, types.get(0));
  }

  private SchemaType union(int at, List<SchemaType> types) {
    List<SchemaType> members = types.stream().distinct().toList();
    if (members.size() < 2) throw in.error(at, "Union takes two or more types, not " + types);
    if (members.size() == 2 && members.contains(Base.NONE)) {
      return new OptionalOf(members.get(members.indexOf(Base.NONE) == 0 ? 1 : 0));
    }
    return new UnionOf(members);
  }

  private SchemaType registered() {
    StringBuilder name = new StringBuilder("__torch__");
    for (String part : new String[] {"torch", "classes"}) {
      in.expect(".");
      int at = in.position();
      String word = in.word("'" + part + "'");
      if (!word.equals(part)) throw in.error(at, "expected '" + part + "', found '" + word + "'");
      name.append('.').append(word);
    }
    in.expect(".");
    name.append('.').append(in.word("a class's namespace"));
    in.expect(".");
    name.append('.').append(in.word("a class's name"));
    return new SchemaType.Registered(name.toString());
  }

  private SchemaType named(int at, String word) {
    SchemaType type = NAMED.get(word);
    if (type != null) return type;
    if (Character.isLowerCase(word.charAt(0))) return new SchemaType.Variable(word);
    throw in.error(at, "no type '" + word + "'; types: " + Arrays.toString(Base.values()));
  }

  /** {@code (a)}, {@code (a!)}, {@code (a|b -> *)}, {@code !}; null if there is none. */
  private Alias alias() {
    if (in.take("!")) return new Alias(List.of(), true, List.of());
    if (!in.take("(")) return null;
    List<String> before = aliasSets();
    boolean write = in.take("!");
    List<String> after = in.take("->") ? aliasSets() : before;
    in.expect(")");
    return new Alias(before, write, after);
  }

  private List<String> aliasSets() {
    if (in.take(Alias.WILDCARD)) return List.of(Alias.WILDCARD);
    List<String> sets = new ArrayList<>();
    do {
      sets.add(in.word("the name of an alias set, or '*'"));
    } while (in.take("|"));
    return sets;
  }
}
