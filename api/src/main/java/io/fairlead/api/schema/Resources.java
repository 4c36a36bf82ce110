package io.fairlead.api.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the text files this package is made of.
final class Resources {
  private Resources() {}

  /// The lines of a resource; a missing one is a fault of the build and says so.
  static List<String> lines(@Nullable InputStream stream, String name) {
    if (stream == null) {
      throw new IllegalStateException(
          name + " is not on the class path; build the module `schema` first");
    }
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
