package io.fairlead.app.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a test that makes the named errors happen. `ErrorCodeCoverageTest` fails when a code has
/// none.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Provokes {
  ErrorCode[] value();
}
