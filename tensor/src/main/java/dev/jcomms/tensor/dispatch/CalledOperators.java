package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.internal.aten.Origins;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which operators a kernel may call, read from its code: a constant that names an operator, in the
 * kernel's method, in the initialiser of a static field that it reads, or in any method it may
 * reach, is a call.
 *
 * <p>So no table has to be kept in step with the kernels. What is found is what may be called on
 * some path, not what one call does call. Boxed kernels, and handles made of others elsewhere, show
 * nothing.
 */
final class CalledOperators {
  /** The JDK calls no operators; the dispatcher names all of them; CPU kernels are leaves. */
  private static final Predicate<String> FOLLOWED =
      owner ->
          !owner.startsWith("java/")
              && !owner.startsWith("jdk/")
              && !owner.startsWith("dev/jcomms/tensor/dispatch/")
              && !owner.startsWith("dev/jcomms/tensor/internal/cpu/");

  private final Set<String> operators;
  private final Map<String, Optional<ClassCode>> classes = new HashMap<>();

  /**
   * @param operators the names to look for
   */
  CalledOperators(Set<String> operators) {
    this.operators = operators;
  }

  /** Names of the operators that the kernel may call. */
  Set<String> by(BoundKernel kernel) {
    Set<String> found = new TreeSet<>();
    if (kernel.lambda() != null) {
      SerializedLambda lambda = KernelHandles.lambda(kernel.lambda());
      if (lambda != null) {
        collect(
            new ClassCode.Member(
                lambda.getImplClass(), lambda.getImplMethodName(), lambda.getImplMethodSignature()),
            found);
      }
      return found;
    }
    Origins.Origin origin = Origins.of(kernel.typed());
    found.addAll(origin.operators());
    if (origin.code().describeConstable().orElse(null) instanceof DirectMethodHandleDesc method) {
      collect(ClassCode.Member.of(method), found);
    }
    return found;
  }

  private void collect(ClassCode.Member start, Set<String> found) {
    Set<ClassCode.Member> seen = new HashSet<>(Set.of(start));
    Deque<ClassCode.Member> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      ClassCode.Body body = body(open.pop());
      addNames(body.texts(), found);
      for (ClassCode.Member field : body.fields()) {
        if (FOLLOWED.test(field.owner())) addNames(initialiser(field), found);
      }
      for (ClassCode.Member called : body.calls()) {
        if (FOLLOWED.test(called.owner()) && seen.add(called)) open.push(called);
      }
    }
  }

  private void addNames(Set<String> texts, Set<String> found) {
    for (String text : texts) {
      if (operators.contains(text)) found.add(text);
    }
  }

  /** The body of a method, which a superclass may have; nothing if no class file has it. */
  private ClassCode.Body body(ClassCode.Member method) {
    Optional<ClassCode> code = code(method.owner());
    while (code.isPresent()) {
      ClassCode.Body body = code.get().bodies().get(method.name() + method.descriptor());
      if (body != null) return body;
      code = code(code.get().superclass());
    }
    return ClassCode.Body.EMPTY;
  }

  private Set<String> initialiser(ClassCode.Member field) {
    Optional<ClassCode> code = code(field.owner());
    while (code.isPresent()) {
      Set<String> texts = code.get().initialisers().get(field.name());
      if (texts != null) return texts;
      code = code(code.get().superclass());
    }
    return Set.of();
  }

  private Optional<ClassCode> code(String name) {
    return FOLLOWED.test(name) ? classes.computeIfAbsent(name, ClassCode::read) : Optional.empty();
  }
}
