package io.fairlead.api.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the text files this package is made of.
final class SchemaResourceReader {
  private SchemaResourceReader() {}

  /// The lines of a resource; a missing one is a fault of the build and says so.
  static List<String> lines(@Nullable InputStream stream, String name) {
    if (stream == null) {
      throw new IllegalStateException(
          name + " is not on the class path; build the module `schema` first");
    }
    try (stream) {
      return split(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  // No stream, no lambda, no pattern: this runs while the server starts, and the first use of each
  // costs more than all lines together. Bytes, for most lines are ASCII, but not all of them.
  private static List<String> split(byte[] text) {
    List<String> lines = new ArrayList<>(4096);
    int start = 0;
    for (int at = 0; at < text.length; at++) {
      if (text[at] == '\n') {
        lines.add(new String(text, start, at - start, StandardCharsets.UTF_8));
        start = at + 1;
      }
    }
    return lines;
  }
}
