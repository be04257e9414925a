package dev.jcomms.tensor.dispatch;

import java.util.ArrayList;
import java.util.List;

/**
 * The grammar of schemas: {@code namespace::name.overload(arguments) -> results}. One pass, one
 * method a rule; {@link TypeParser} and {@link ConstantParser} read what stands between the commas.
 */
final class SchemaParser {
  private final SchemaScanner in;
  private final TypeParser types;
  private final ConstantParser constants;

  private String namespace = "";
  private String name;
  private String overload = "";
  private final List<Argument> arguments = new ArrayList<>();
  private boolean varArgs;
  private final List<Return> returns = new ArrayList<>();
  private boolean varReturns;

  SchemaParser(String text) {
    in = new SchemaScanner(text);
    types = new TypeParser(in);
    constants = new ConstantParser(in);
  }

  Schema parse() {
    name();
    in.expect("(");
    arguments();
    in.expect("->");
    returns();
    if (!in.atEnd()) throw in.expected("the end");
    return new Schema(namespace, name, overload, arguments, varArgs, returns, varReturns);
  }

  private void name() {
    name = in.word("an operator name");
    if (in.take("::")) {
      namespace = name;
      name = in.word("an operator name");
    }
    if (!in.take(".")) return;
    int at = in.position();
    overload = in.word("an overload name");
    if (overload.equals("default") || overload.startsWith("__")) {
      throw in.error(
          at,
          "'"
              + overload
              + "' cannot name an overload: 'default' and what starts with '__' are reserved");
    }
  }

  private void arguments() {
    boolean keywordOnly = false;
    if (in.take(")")) return;
    do {
      if (varArgs) throw in.error(in.position(), "'...' must be the last argument");
      if (in.take("...")) {
        varArgs = true;
      } else if (in.take("*")) {
        keywordOnly = true;
      } else {
        arguments.add(argument(keywordOnly));
      }
    } while (in.take(","));
    in.expect(")");
  }

  private Argument argument(boolean keywordOnly) {
    AliasedType type = types.argumentType();
    int nameAt = in.position();
    String argument = valueName("an argument name");
    Constant value = null;
    if (in.take("=")) {
      int valueAt = in.position();
      value = constants.constant(type.type());
      if (!Defaults.fits(type.type(), value)) {
        throw in.error(valueAt, "default " + value + " is no value of type " + type.type());
      }
    } else if (!keywordOnly && !arguments.isEmpty() && arguments.getLast().hasDefault()) {
      throw in.error(
          nameAt,
          "'"
              + argument
              + "' needs a default, since '"
              + arguments.getLast().name()
              + "' before it has one");
    }
    return new Argument(
        argument, type.type(), value, keywordOnly, type.alias(), type.elementAlias());
  }

  private void returns() {
    if (in.take("...")) {
      varReturns = true;
      return;
    }
    if (!in.take("(")) {
      returns.add(result());
      return;
    }
    if (in.take(")")) return;
    do {
      if (varReturns) throw in.error(in.position(), "'...' must be the last result");
      if (in.take("...")) {
        varReturns = true;
      } else {
        returns.add(result());
      }
    } while (in.take(","));
    in.expect(")");
  }

  private Return result() {
    AliasedType type = types.argumentType();
    String result = in.atWord() ? valueName("a result name") : "";
    return new Return(result, type.type(), type.alias(), type.elementAlias());
  }

  private String valueName(String what) {
    int at = in.position();
    String word = in.word(what);
    if (word.equals("None") || word.equals("True") || word.equals("False")) {
      throw in.error(at, "expected " + what + ", found the constant '" + word + "'");
    }
    return word;
  }
}
