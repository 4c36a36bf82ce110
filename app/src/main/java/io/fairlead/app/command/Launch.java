package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Flag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The command that runs the same `up` in the foreground of a process of its own.
final class Launch {
  /// Flags that only concern the process in front.
  private static final Set<String> OWN = Set.of("foreground", "timeout", "color", "help");

  /// The least that does, for those who start without a launcher. Standard output is the pipe to
  /// here: the JVM itself must not write there.
  private static final String PLAIN =
      "-Xlog:disable -Xlog:all=error:stderr -XX:+UseSerialGC -XX:+UseCompactObjectHeaders"
          + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";

  private Launch() {}

  /// @param flags the file that [#flags] is written to
  /// @param overrides values that the process in front has decided, by flag
  static List<String> command(
      Arguments arguments,
      CommandContext context,
      Path flags,
      java.util.Map<String, String> overrides) {
    Path setsid =
        Programs.find("setsid", context.environment())
            .orElseThrow(() -> new FairleadException(ErrorCode.FL212));
    List<String> words = new ArrayList<>();
    words.add(setsid.toString());
    if (arguments.on("lab")) {
      words.addAll(Lab.around(context));
    }
    words.add(program(context));
    words.add("@" + flags);
    words.add(arguments.verb().name());
    words.add("--foreground");
    for (Flag flag : arguments.verb().flags()) {
      String value = overrides.getOrDefault(flag.name(), value(arguments, flag));
      if (!OWN.contains(flag.name()) && !value.isEmpty()) {
        words.add("--" + flag.name() + "=" + value);
      }
    }
    return words;
  }

  /// The JVM's part of the command, in the form of its argument files: so `ps` shows the program
  /// and its words, not eight kilobytes of class path.
  ///
  /// @param node whether the process will run a node, which has an AOT cache of its own
  static String flags(CommandContext context, boolean node) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(context.properties().getOrDefault("fairlead.jvm", PLAIN).split(" ")));
    String server = context.properties().getOrDefault("fairlead.aot", "");
    String cache = node ? context.properties().getOrDefault("fairlead.aot.node", server) : server;
    if (!cache.isEmpty()) {
      words.add("-XX:AOTCache=" + cache);
    }
    words.add("-Dfairlead.background=true");
    words.add("-Dfairlead.home=" + context.properties().getOrDefault("fairlead.home", ""));
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(Main.class.getName());
    return words.stream()
        .map(word -> "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
        .collect(Collectors.joining());
  }

  /// The launcher's link to the JVM, which gives the process its name.
  private static String program(CommandContext context) {
    String named = context.properties().getOrDefault("fairlead.program", "");
    return named.isEmpty()
        ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
        : named;
  }

  /// Runs a class of this program as a process in the background, for a short life: with the quick
  /// compiler alone.
  static List<String> quick(String classPath, Class<?> main) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of(PLAIN.split(" ")));
    words.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-Dfairlead.background=true",
            "-cp",
            classPath,
            main.getName()));
    return words;
  }

  /// The command that runs a short verb of this program once more.
  static List<String> again(String verb) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseCompactObjectHeaders",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        verb);
  }

  /// The background process works in `/`: paths must not depend on where it was called.
  private static String value(Arguments arguments, Flag flag) {
    return switch (flag.kind()) {
      case INPUT_FILE, OUTPUT_FILE, DIRECTORY ->
          arguments.path(flag.name()).map(Path::toString).orElse("");
      case SWITCH, TEXT, FREE, NUMBER, PORT, CHOICE, LIST, REPEATED, SECONDS, COUNT, DURATION ->
          arguments.find(flag.name()).orElse("");
    };
  }
}
