package io.fairlead.api.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
      return split(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  // No stream, no lambda, no pattern: this runs while the server starts, and the first use of each
  // costs more than all lines together.
  private static List<String> split(String text) {
    List<String> lines = new ArrayList<>(4096);
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.add(text.substring(start, end));
      start = end + 1;
    }
    return lines;
  }
}
