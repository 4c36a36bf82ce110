package io.fairlead.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One verb of the command line. Its description is the message `verb.<name>`.
///
/// @param name what the user types
/// @param operand how help names the one operand, or empty when there is none; one that ends with
///   `...` stands for another command, whose words are all its own
/// @param operands what shell completion offers for it
/// @param flags its own flags, in the order help shows them
/// @param most how many operands it takes
public record Verb(String name, String operand, List<String> operands, List<Flag> flags, int most) {
  private static final Flag CONTEXT = Flag.of("context", Flag.Kind.TEXT, "NAME");

  /// With one operand, where help names one.
  public Verb(String name, String operand, List<String> operands, List<Flag> flags) {
    this(name, operand, operands, flags, operand.isEmpty() ? 0 : 1);
  }

  public Verb {
    operands = List.copyOf(operands);
    flags = withContext(name, flags);
  }

  /// Who asks an API server may name a context of the kubeconfig, as with kubectl. kube-proxy,
  /// whose command line one verb takes, knows no such flag.
  private static List<Flag> withContext(String name, List<Flag> flags) {
    List<String> names = flags.stream().map(Flag::name).toList();
    if (!names.contains("kubeconfig") || !names.contains("master") || name.equals("proxy")) {
      return List.copyOf(flags);
    }
    List<Flag> all = new ArrayList<>(flags);
    all.add(names.indexOf("kubeconfig") + 1, CONTEXT);
    return List.copyOf(all);
  }

  /// The words of a line that are of this verb, not of another command that it runs: its flags in
  /// front of the first operand.
  List<String> own(List<String> words) {
    if (!runsOther()) {
      return words;
    }
    int end = 0;
    while (end < words.size() && words.get(end).startsWith("-") && !words.get(end).equals("--")) {
      String name = words.get(end).replaceFirst("^-+", "");
      boolean valued =
          !name.contains("=")
              && allFlags()
                  .filter(flag -> flag.name().equals(name) || flag.shortName().equals(name))
                  .anyMatch(flag -> flag.kind() != Flag.Kind.SWITCH);
      end += valued ? 2 : 1;
    }
    return words.subList(0, Math.min(end, words.size()));
  }

  /// The words of another command, for a verb that runs one.
  List<String> other(List<String> words) {
    List<String> rest = words.subList(own(words).size(), words.size());
    return !rest.isEmpty() && rest.getFirst().equals("--") ? rest.subList(1, rest.size()) : rest;
  }

  boolean runsOther() {
    return operand.endsWith("...");
  }

  /// Own flags and those every verb has.
  Stream<Flag> allFlags() {
    return Stream.concat(flags.stream(), Grammar.COMMON.stream());
  }

  Optional<Flag> flag(String name) {
    return allFlags().filter(flag -> flag.name().equals(name)).findFirst();
  }
}
