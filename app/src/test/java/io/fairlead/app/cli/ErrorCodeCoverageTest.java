package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every error code has a test that provokes it.
class ErrorCodeCoverageTest {
  @Test
  void everyCodeIsProvoked() throws Exception {
    Set<ErrorCode> missing = EnumSet.allOf(ErrorCode.class);
    for (Class<?> test : testClasses()) {
      for (Method method : test.getDeclaredMethods()) {
        Provokes provokes = method.getAnnotation(Provokes.class);
        if (provokes != null) {
          missing.removeAll(List.of(provokes.value()));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<Class<?>> testClasses() throws IOException, ReflectiveOperationException {
    Path root = Path.of("target", "test-classes");
    List<String> names;
    try (Stream<Path> files = Files.walk(root)) {
      names =
          files
              .map(file -> root.relativize(file).toString())
              .filter(name -> name.endsWith("Test.class"))
              .map(name -> name.replace('/', '.').replace(".class", ""))
              .toList();
    }
    java.util.ArrayList<Class<?>> classes = new java.util.ArrayList<>();
    for (String name : names) {
      classes.add(Class.forName(name));
    }
    return classes;
  }
}
