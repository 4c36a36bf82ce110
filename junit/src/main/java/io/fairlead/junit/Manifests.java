package io.fairlead.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Manifests among the resources of a test.
final class Manifests {
  private Manifests() {}

  /// @param resource relative to the class, or from the root with `/`
  static String read(Class<?> test, String resource) {
    try (InputStream in = test.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no resource `"
                + resource
                + "` beside "
                + test.getName()
                + ". With a leading / it is looked for from the root of the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
