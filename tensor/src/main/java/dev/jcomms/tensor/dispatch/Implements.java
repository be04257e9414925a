package dev.jcomms.tensor.dispatch;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a static method: the operator, without its namespace, that it is a kernel of. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Implements {
  /** {@code add.Tensor}; several if one method serves them all. */
  String[] value();
}
