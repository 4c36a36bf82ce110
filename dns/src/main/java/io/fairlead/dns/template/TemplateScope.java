package io.fairlead.dns.template;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What `.` and the variables stand for in one stretch of a template. Variables end with the `if`
/// or `range` they were declared in. Used by one thread.
final class TemplateScope {
  private final Object dot;
  private final @Nullable TemplateScope outer;
  private final Map<String, Object> variables = new HashMap<>();

  /// The whole template's; `$` is what it is about.
  TemplateScope(Object dot) {
    this(dot, null);
    variables.put("", dot);
  }

  private TemplateScope(Object dot, @Nullable TemplateScope outer) {
    this.dot = dot;
    this.outer = outer;
  }

  TemplateScope inner(Object other) {
    return new TemplateScope(other, this);
  }

  Object dot() {
    return dot;
  }

  /// @param name an empty one declares nothing
  void declare(String name, Object value) {
    if (!name.isEmpty()) {
      variables.put(name, value);
    }
  }

  /// Changes a variable where it was declared.
  void assign(String name, Object value) throws TemplateException {
    holder(name).variables.put(name, value);
  }

  Object variable(String name) throws TemplateException {
    return Objects.requireNonNull(holder(name).variables.get(name));
  }

  private TemplateScope holder(String name) throws TemplateException {
    for (TemplateScope scope = this; scope != null; scope = scope.outer) {
      if (scope.variables.containsKey(name)) {
        return scope;
      }
    }
    throw new TemplateException("undefined variable $" + name);
  }
}
