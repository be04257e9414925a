package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.InMemoryCompiler;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs in Java source files, compiled when they are needed. The file has a method that makes
 * the program, in a class or without one:
 *
 * <pre>{@code
 * static CollectiveProgram program(int ranks) { … }
 * }</pre>
 *
 * <p>Its parameters are the author's to choose: numbers, {@code boolean}, {@code String} and enums.
 * They are given as text, in order or by name ({@code ranks=8}).
 */
public final class ProgramSource {
  private static final String ENTRY = "program";

  private ProgramSource() {}

  /**
   * Compiles the file and makes its program.
   *
   * @throws ProgramException if the source does not compile, has no such method or not for these
   *     arguments, or makes no sense as a program; the message begins with the line
   * @throws IOException if the file cannot be read
   */
  public static CollectiveProgram load(Path file, String... arguments) throws IOException {
    List<Class<?>> classes;
    try {
      classes = InMemoryCompiler.load(file, ProgramSource.class.getClassLoader());
    } catch (InMemoryCompiler.CompileException e) {
      throw new ProgramException(e.getMessage(), e);
    }
    Method entry = entry(file, classes, arguments.length);
    return call(file, entry, values(file, entry, arguments));
  }

  private static Method entry(Path file, List<Class<?>> classes, int arguments) {
    List<Method> entries =
        classes.stream()
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .filter(method -> method.getName().equals(ENTRY))
            .filter(method -> method.getReturnType() == CollectiveProgram.class)
            .toList();
    if (entries.isEmpty()) {
      throw new ProgramException(
          file.getFileName() + ": has no method `static CollectiveProgram program(int ranks)`");
    }
    List<Method> fitting =
        entries.stream().filter(method -> method.getParameterCount() == arguments).toList();
    if (fitting.size() != 1) {
      throw new ProgramException(
          "%s: %d arguments do not say which to call: %s"
              .formatted(
                  file.getFileName(),
                  arguments,
                  entries.stream().map(ProgramSource::words).collect(Collectors.joining(", "))));
    }
    return fitting.getFirst();
  }

  private static Object[] values(Path file, Method entry, String[] arguments) {
    List<String> names = Stream.of(entry.getParameters()).map(Parameter::getName).toList();
    Map<String, String> byName = new HashMap<>();
    List<String> inOrder = new ArrayList<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals > 0 && names.contains(argument.substring(0, equals))) {
        byName.put(argument.substring(0, equals), argument.substring(equals + 1));
      } else {
        inOrder.add(argument);
      }
    }
    Object[] values = new Object[names.size()];
    for (int i = 0; i < values.length; i++) {
      Parameter parameter = entry.getParameters()[i];
      String text = byName.get(parameter.getName());
      if (text == null && inOrder.isEmpty()) {
        throw new ProgramException(
            "%s: %s needs a value for %s"
                .formatted(file.getFileName(), words(entry), parameter.getName()));
      }
      text = text == null ? inOrder.removeFirst() : text;
      try {
        values[i] = value(parameter.getType(), text);
      } catch (IllegalArgumentException e) {
        throw new ProgramException(
            "%s: %s=%s is not a %s"
                .formatted(
                    file.getFileName(),
                    parameter.getName(),
                    text,
                    parameter.getType().getSimpleName()),
            e);
      }
    }
    return values;
  }

  private static Object value(Class<?> type, String text) {
    if (type == int.class) {
      return Integer.valueOf(text);
    }
    if (type == long.class) {
      return Long.valueOf(text);
    }
    if (type == double.class) {
      return Double.valueOf(text);
    }
    if (type == boolean.class && List.of("true", "false").contains(text)) {
      return Boolean.valueOf(text);
    }
    if (type == String.class) {
      return text;
    }
    if (type.isEnum()) {
      return Stream.of(type.getEnumConstants())
          .filter(constant -> ((Enum<?>) constant).name().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(IllegalArgumentException::new);
    }
    throw new IllegalArgumentException();
  }

  private static CollectiveProgram call(Path file, Method entry, Object[] values) {
    try {
      Object owner = null;
      if (!Modifier.isStatic(entry.getModifiers())) {
        // A file without a class declaration has none but instance methods.
        Constructor<?> constructor = entry.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        owner = constructor.newInstance();
      }
      entry.setAccessible(true);
      return (CollectiveProgram) entry.invoke(owner, values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof ProgramException problem) {
        throw problem;
      }
      throw new ProgramException(
          "%s: %s failed: %s".formatted(place(file, e.getCause()), words(entry), e.getCause()),
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new ProgramException(
          file.getFileName() + ": " + words(entry) + " cannot be called: " + e, e);
    }
  }

  /** The file, with the line of it that something was thrown from, if one is known. */
  private static String place(Path file, Throwable thrown) {
    String name = file.getFileName().toString();
    return Arrays.stream(thrown.getStackTrace())
        .filter(frame -> name.equals(frame.getFileName()) && frame.getLineNumber() > 0)
        .findFirst()
        .map(frame -> name + ":" + frame.getLineNumber())
        .orElse(name);
  }

  private static String words(Method entry) {
    return Stream.of(entry.getParameters())
        .map(parameter -> parameter.getType().getSimpleName() + " " + parameter.getName())
        .collect(
            Collectors.joining(
                ", ", entry.getDeclaringClass().getSimpleName() + "." + ENTRY + "(", ")"));
  }
}
