package io.fairlead.app.cli;

import io.fairlead.api.names.NearestName;
import io.fairlead.app.text.Phrase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Runs one command line: finds the verb, parses, runs, words errors, gives the exit code.
public final class CommandDispatcher {
  /// Verbs that can say what they lack before they look for an API server.
  private static final Set<String> OPERAND_FIRST = Set.of("env", "explain", "expose", "wait");

  /// What beginners try, and what belongs to the program that they talk to the cluster with.
  private static final Set<String> OF_KUBECTL =
      Set.of(
          "apply",
          "attach",
          "cp",
          "create",
          "debug",
          "delete",
          "describe",
          "drain",
          "edit",
          "events",
          "exec",
          "get",
          "label",
          "logs",
          "patch",
          "port-forward",
          "rollout",
          "run",
          "scale");

  private final Map<String, Supplier<Command>> commands;

  /// @param commands verb name to command; made only when it is asked for, a short command has no
  ///   time to load the classes of the others
  public CommandDispatcher(Map<String, Supplier<Command>> commands) {
    this.commands = Map.copyOf(commands);
  }

  public int run(List<String> words, CommandContext context) {
    try {
      return dispatch(words, context);
    } catch (FairleadException problem) {
      return say(problem, words, context);
    } catch (RuntimeException e) {
      return say(new FairleadException(ErrorCode.FL299, e, e.toString()), words, context);
    }
  }

  /// What, why and what next; where it comes from in the code only for who asks for it.
  private static int say(FairleadException problem, List<String> words, CommandContext context) {
    context.terminal().err().print(problem.render(context.messages()));
    Throwable cause = problem.getCause();
    if (cause != null && verbosity(words) >= 6) {
      cause.printStackTrace(context.terminal().err());
    }
    return problem.code().exit();
  }

  private int dispatch(List<String> words, CommandContext context) {
    Help help = new Help(context.messages(), context.program());
    if (words.isEmpty() || words.getFirst().equals("--help") || words.getFirst().equals("-h")) {
      context.terminal().out().print(help.overview());
      return ExitCode.FINE;
    }
    String name = words.getFirst().equals("--version") ? "version" : words.getFirst();
    Verb verb = Grammar.verb(name).orElseThrow(() -> unknown(words, context));
    List<String> rest = words.subList(1, words.size());
    if (name.equals(Grammar.DNS_SERVER)) {
      rest = GoStyleFlags.doubled(rest);
    }
    List<String> own = verb.own(rest);
    if (own.contains("--help") || own.contains("-h")) {
      context.terminal().out().print(help.verb(verb));
      return ExitCode.FINE;
    }
    Arguments arguments = new ArgumentParser(context.environment()).parse(verb, rest);
    requireOperand(arguments);
    Supplier<Command> command = commands.get(verb.name());
    if (command == null) {
      throw new IllegalStateException("verb without command: " + name);
    }
    return command.get().run(arguments, context.colored(arguments.text("color")));
  }

  /// Before an API server is looked for, which may not be there.
  private static void requireOperand(Arguments arguments) {
    Verb verb = arguments.verb();
    boolean several = arguments.on("all-namespaces") || arguments.find("selector").isPresent();
    if (OPERAND_FIRST.contains(verb.name()) && arguments.operands().isEmpty() && !several) {
      throw new FairleadException(ErrorCode.FL308, verb.name(), verb.operand());
    }
  }

  private static FairleadException unknown(List<String> words, CommandContext context) {
    String name = words.getFirst();
    if (OF_KUBECTL.contains(name)) {
      return new FairleadException(
          ErrorCode.FL300, name, Phrase.of("FL300.kubectl", "kubectl " + String.join(" ", words)));
    }
    Phrase next =
        NearestName.to(name, Stream.concat(Grammar.verbNames(), Stream.of("--version", "--help")))
            .map(near -> Phrase.of("FL300.near", context.program() + " " + near))
            .orElse(Phrase.of("FL300.far"));
    return new FairleadException(ErrorCode.FL300, name, next);
  }

  /// `-v=6`, `-v 6` or `--v=6`, read without the parser because the parser may be what failed.
  private static int verbosity(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      String value =
          word.startsWith("-v=")
              ? word.substring(3)
              : word.equals("-v") && i + 1 < words.size() ? words.get(i + 1) : "";
      if (value.length() == 1 && Character.isDigit(value.charAt(0))) {
        return value.charAt(0) - '0';
      }
    }
    return 0;
  }
}
