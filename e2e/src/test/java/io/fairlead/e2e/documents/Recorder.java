package io.fairlead.e2e.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Rewrites a page with what its commands print now, for a change of a page or of what it shows:
/// `-Dfairlead.documents.record=DIRECTORY` puts the new text there, beside the failure. A command
/// that prints what is written keeps the written words.
final class Recorder {
  private static final String PROPERTY = "fairlead.documents.record";

  private Recorder() {}

  /// Whether the caller asks for it.
  static boolean wanted() {
    return System.getProperty(PROPERTY) != null;
  }

  /// @param page the page as it is
  /// @param printed what commands printed, by the number of the line where their output begins
  static void write(String name, List<String> page, Map<Integer, List<String>> printed)
      throws IOException {
    List<String> lines = new ArrayList<>();
    boolean skipping = false;
    for (int i = 0; i < page.size(); i++) {
      String line = page.get(i);
      List<String> now = printed.get(i);
      skipping &= !line.startsWith("$ ") && !line.startsWith("```") && now == null;
      if (now != null) {
        lines.addAll(now);
        skipping = !line.startsWith("$ ") && !line.startsWith("```");
      }
      if (!skipping) {
        lines.add(line);
      }
    }
    Path file = Path.of(System.getProperty(PROPERTY)).resolve(name.replace('/', '-'));
    Files.createDirectories(file.getParent());
    Files.write(file, lines);
  }
}
