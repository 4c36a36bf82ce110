package io.fairlead.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Scripts that complete verbs, flags and choices in a shell. They hold the whole table, so
/// pressing Tab starts no program.
public final class Completion {
  private Completion() {}

  /// The script for `bash`, `zsh` or `fish`.
  public static String script(String shell) {
    return switch (shell) {
      case "bash" -> bash();
      case "zsh" -> zsh();
      case "fish" -> fish();
      default -> throw new FairleadException(ErrorCode.FL303, "SHELL", shell, "bash, zsh, fish");
    };
  }

  private static String bash() {
    return """
    # bash completion for fairlead; load it with: source <(fairlead completion bash)
    _fairlead() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '%s --help --version' -- "$current"))
        return
      fi
      case "$verb $previous" in
    %s  esac
      case "$verb" in
    %s  esac
    }
    complete -F _fairlead fairlead
    """
        .formatted(String.join(" ", Grammar.verbNames().toList()), bashValues(), bashVerbs());
  }

  private static String bashValues() {
    StringBuilder cases = new StringBuilder();
    for (Verb verb : Grammar.VERBS) {
      verb.allFlags()
          .forEach(
              flag -> {
                String action =
                    switch (flag.kind()) {
                      case CHOICE -> "compgen -W '" + flag.value().replace('|', ' ') + "'";
                      case INPUT_FILE, OUTPUT_FILE -> "compgen -f";
                      case DIRECTORY -> "compgen -d";
                      case SWITCH,
                          TEXT,
                          FREE,
                          NUMBER,
                          PORT,
                          LIST,
                          REPEATED,
                          SECONDS,
                          COUNT,
                          DURATION ->
                          "";
                    };
                if (!action.isEmpty()) {
                  for (String word : words(flag)) {
                    cases.append(
                        "    '%s %s') COMPREPLY=($(%s -- \"$current\")); return ;;\n"
                            .formatted(verb.name(), word, action));
                  }
                }
              });
    }
    return cases.toString();
  }

  private static String bashVerbs() {
    return Grammar.VERBS.stream()
        .map(
            verb ->
                "    %s) COMPREPLY=($(compgen -W '%s' -- \"$current\")) ;;\n"
                    .formatted(verb.name(), String.join(" ", candidates(verb))))
        .collect(Collectors.joining());
  }

  private static String zsh() {
    String verbs =
        Grammar.VERBS.stream()
            .map(
                verb ->
                    "    %s) compadd -- %s ;;\n"
                        .formatted(verb.name(), String.join(" ", candidates(verb))))
            .collect(Collectors.joining());
    return """
    #compdef fairlead
    # zsh completion for fairlead; load it with: source <(fairlead completion zsh)
    _fairlead() {
      if (( CURRENT == 2 )); then
        compadd -- %s --help --version
        return
      fi
      case ${words[2]} in
    %s  esac
      _files
    }
    compdef _fairlead fairlead
    """
        .formatted(String.join(" ", Grammar.verbNames().toList()), verbs);
  }

  private static String fish() {
    StringBuilder script =
        new StringBuilder(
            "# fish completion for fairlead; load it with: fairlead completion fish | source\n");
    script.append("complete -c fairlead -n __fish_use_subcommand -f -a '");
    script.append(String.join(" ", Grammar.verbNames().toList())).append("'\n");
    for (Verb verb : Grammar.VERBS) {
      String when = " -n '__fish_seen_subcommand_from " + verb.name() + "'";
      if (!verb.operands().isEmpty()) {
        script.append("complete -c fairlead").append(when).append(" -f -a '");
        script.append(String.join(" ", verb.operands())).append("'\n");
      }
      verb.allFlags().forEach(flag -> script.append(fishFlag(when, flag)));
    }
    return script.toString();
  }

  private static String fishFlag(String when, Flag flag) {
    return "complete -c fairlead"
        + when
        + (flag.name().length() == 1 ? " -s " : " -l ")
        + flag.name()
        + (flag.shortName().isEmpty() ? "" : " -s " + flag.shortName())
        + (flag.kind() == Flag.Kind.CHOICE ? " -x -a '" + flag.value().replace('|', ' ') + "'" : "")
        + "\n";
  }

  private static List<String> candidates(Verb verb) {
    List<String> words = new ArrayList<>(verb.operands());
    if (verb.name().equals("help")) {
      Grammar.verbNames().forEach(words::add);
      for (ErrorCode code : ErrorCode.values()) {
        words.add(code.name());
      }
    }
    verb.allFlags().forEach(flag -> words.addAll(words(flag)));
    return words;
  }

  private static List<String> words(Flag flag) {
    String dashed = (flag.name().length() == 1 ? "-" : "--") + flag.name();
    return flag.shortName().isEmpty() ? List.of(dashed) : List.of(dashed, "-" + flag.shortName());
  }
}
