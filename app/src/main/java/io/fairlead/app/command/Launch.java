package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Flag;
import io.fairlead.app.cli.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The command that runs the same `up` in the foreground of a process of its own.
final class Launch {
  /// Flags that only concern the process in front.
  private static final Set<String> OWN = Set.of("foreground", "timeout", "color", "help");

  private Launch() {}

  /// @param node whether the process will run a node, which has an AOT cache of its own
  /// @param overrides values that the process in front has decided, by flag
  static List<String> command(
      Arguments arguments, Context context, boolean node, java.util.Map<String, String> overrides) {
    Path setsid =
        Programs.find("setsid", context.environment()).orElseThrow(() -> new Problem(Code.FL212));
    List<String> words = new ArrayList<>();
    words.add(setsid.toString());
    if (arguments.on("lab")) {
      words.addAll(Lab.around(context));
    }
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Its standard output is the pipe to here: the JVM itself must not write there.
    words.add("-Xlog:disable");
    words.add("-Xlog:all=error:stderr");
    words.add("-XX:+UseSerialGC");
    // A heap that grows when it must; by default it begins with a 64th of the machine's memory.
    words.add("-Xms20m");
    // And by a third of what is in use, not by two thirds.
    words.add("-XX:MinHeapFreeRatio=25");
    words.add("-XX:MaxHeapFreeRatio=40");
    // Gives back what the compilers needed while it started.
    words.add("-XX:TrimNativeHeapInterval=5000");
    words.add("-XX:+UseCompactObjectHeaders");
    // It runs much code a little: inlining less deeply costs nothing and its compilers a third
    // less.
    words.add("-XX:MaxInlineLevel=9");
    words.add("-XX:FreqInlineSize=150");
    words.add("-XX:InlineSmallCode=1500");
    // The optimizing compiler waits for what is still hot after the start.
    words.add("-XX:Tier4InvocationThreshold=50000");
    words.add("-XX:Tier4MinInvocationThreshold=6000");
    words.add("-XX:Tier4CompileThreshold=150000");
    words.add("-XX:Tier4BackEdgeThreshold=400000");
    // Names of days and months in all languages, and a search of all jars for a logger.
    words.add("-Djava.locale.providers=FALLBACK");
    words.add("-Dslf4j.provider=org.slf4j.jul.JULServiceProvider");
    words.add("--enable-native-access=ALL-UNNAMED");
    words.add("--sun-misc-unsafe-memory-access=allow");
    String server = context.properties().getOrDefault("fairlead.aot", "");
    String cache = node ? context.properties().getOrDefault("fairlead.aot.node", server) : server;
    if (!cache.isEmpty()) {
      words.add("-XX:AOTCache=" + cache);
      // Mapped where it was made for; elsewhere every page of it would have to be rewritten.
      words.add("-XX:+UnlockDiagnosticVMOptions");
      words.add("-XX:ArchiveRelocationMode=0");
    }
    words.add("-Dfairlead.background=true");
    words.add("-Dfairlead.home=" + context.properties().getOrDefault("fairlead.home", ""));
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(Main.class.getName());
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
      case SWITCH, TEXT, FREE, NUMBER, PORT, CHOICE, LIST, SECONDS, COUNT, DURATION ->
          arguments.find(flag.name()).orElse("");
    };
  }
}
