package io.fairlead.app.cli;

import java.util.List;

/// Flags as Go programs write them: `-conf FILE` for `--conf FILE`.
final class GoStyleFlags {
  private GoStyleFlags() {}

  static List<String> doubled(List<String> words) {
    return words.stream().map(GoStyleFlags::doubled).toList();
  }

  private static String doubled(String word) {
    int name = word.contains("=") ? word.indexOf('=') : word.length();
    boolean single = word.startsWith("-") && !word.startsWith("--") && name > 2;
    return single ? "-" + word : word;
  }
}
