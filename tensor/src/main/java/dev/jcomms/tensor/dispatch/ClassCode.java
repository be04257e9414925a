package dev.jcomms.tensor.dispatch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a class file says its methods do: which methods they call, which static fields they read and
 * which strings they name.
 *
 * @param superclass its internal name; "" for none
 * @param bodies by name and descriptor
 * @param initialisers of static fields, by name: the strings named between the assignment before
 *     and this one
 */
record ClassCode(
    String superclass, Map<String, Body> bodies, Map<String, Set<String>> initialisers) {

  /** A method or field; {@code owner} is an internal name, {@code java/lang/String}. */
  record Member(String owner, String name, String descriptor) {
    static Member of(DirectMethodHandleDesc method) {
      String owner = method.owner().descriptorString();
      return new Member(
          owner.substring(1, owner.length() - 1), method.methodName(), method.lookupDescriptor());
    }
  }

  /** What one method does. */
  record Body(Set<Member> calls, Set<Member> fields, Set<String> texts) {
    static final Body EMPTY = new Body(Set.of(), Set.of(), Set.of());
  }

  /** The class of that internal name; nothing if its file cannot be found. */
  static Optional<ClassCode> read(String name) {
    try (InputStream in = ClassCode.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return in == null
          ? Optional.empty()
          : Optional.of(of(ClassFile.of().parse(in.readAllBytes())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassCode of(ClassModel model) {
    Map<String, Body> bodies = new HashMap<>();
    Map<String, Set<String>> initialisers = new HashMap<>();
    for (MethodModel method : model.methods()) {
      String name = method.methodName().stringValue();
      bodies.put(name + method.methodType().stringValue(), body(method));
      if (name.equals("<clinit>")) initialisers(method, initialisers);
    }
    String superclass = model.superclass().map(entry -> entry.asInternalName()).orElse("");
    return new ClassCode(superclass, bodies, initialisers);
  }

  private static Body body(MethodModel method) {
    Body body = new Body(new HashSet<>(), new HashSet<>(), new HashSet<>());
    method.code().ifPresent(code -> code.forEach(element -> note(element, body)));
    return body;
  }

  private static void note(CodeElement element, Body body) {
    switch (element) {
      case InvokeInstruction call ->
          body.calls.add(
              new Member(
                  call.owner().asInternalName(),
                  call.name().stringValue(),
                  call.type().stringValue()));
      case InvokeDynamicInstruction call -> {
        for (ConstantDesc argument : call.bootstrapArgs()) {
          if (argument instanceof DirectMethodHandleDesc lambda) {
            body.calls.add(Member.of(lambda));
          }
        }
      }
      case FieldInstruction field when field.opcode() == Opcode.GETSTATIC ->
          body.fields.add(
              new Member(
                  field.owner().asInternalName(),
                  field.name().stringValue(),
                  field.type().stringValue()));
      case ConstantInstruction constant when constant.constantValue() instanceof String text ->
          body.texts.add(text);
      default -> {}
    }
  }

  private static void initialisers(MethodModel method, Map<String, Set<String>> initialisers) {
    Set<String> texts = new HashSet<>();
    for (CodeElement element : method.code().orElseThrow()) {
      if (element instanceof ConstantInstruction constant
          && constant.constantValue() instanceof String text) {
        texts.add(text);
      } else if (element instanceof FieldInstruction field && field.opcode() == Opcode.PUTSTATIC) {
        initialisers.put(field.name().stringValue(), Set.copyOf(texts));
        texts.clear();
      }
    }
  }
}
