package io.fairlead.app.cli;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Reads the simple kind of command line without picocli, which takes longer to load than most
/// command lines to read: every word is `--name=value` or `--name value` with a flag the verb has,
/// or the bare name of a switch, and none comes twice. The program writes such lines for itself
/// too.
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
    for (Iterator<String> rest = words.iterator(); rest.hasNext(); ) {
      String word = rest.next();
      int equals = word.indexOf('=');
      Flag flag = known.get(equals < 0 ? word : word.substring(0, equals));
      if (flag == null || flag.name().length() == 1) {
        return Optional.empty();
      }
      String value = equals < 0 ? behind(flag, rest) : word.substring(equals + 1);
      // An empty value means something to few flags.
      boolean said = !value.isEmpty() || (equals > 0 && flag.kind() == Flag.Kind.FREE);
      if (!said || given.putIfAbsent(flag.name(), value) != null) {
        return Optional.empty();
      }
    }
    return Optional.of(given);
  }

  /// The value of a flag without `=`; empty when it is not plain what it is.
  private static String behind(Flag flag, Iterator<String> rest) {
    if (flag.kind() == Flag.Kind.SWITCH) {
      return "true";
    }
    boolean needsOne = !flag.value().equals("true|false");
    String next = needsOne && rest.hasNext() ? rest.next() : "";
    return next.startsWith("-") ? "" : next;
  }
}
