package io.fairlead.app.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Reads the simple kind of command line without picocli, which takes longer to load than most
/// command lines to read: every word is `--name=value` with a flag the verb has, or the bare name
/// of a switch, and none comes twice. The program writes such lines for itself too.
final class PlainFlags {
  private PlainFlags() {}

  /// The values by flag; empty when a word is of another kind, a wrong one among them: then picocli
  /// says what it means.
  static Optional<Map<String, String>> read(Verb verb, List<String> words) {
    Map<String, Flag> known =
        verb.allFlags()
            .collect(
                Collectors.toMap(flag -> "--" + flag.name(), Function.identity(), (own, _) -> own));
    Map<String, String> given = new HashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      Flag flag = known.get(equals < 0 ? word : word.substring(0, equals));
      if (flag == null || flag.name().length() == 1) {
        return Optional.empty();
      }
      boolean bare = equals < 0 && flag.kind() == Flag.Kind.SWITCH;
      String value = bare ? "true" : word.substring(equals + 1);
      if ((equals < 0 && !bare)
          || value.isEmpty()
          || given.putIfAbsent(flag.name(), value) != null) {
        return Optional.empty();
      }
    }
    return Optional.of(given);
  }
}
