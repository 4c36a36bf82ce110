package io.fairlead.app.command;

import io.fairlead.app.StandardAssembly;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Shell;
import io.fairlead.app.logging.LastingLogManager;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The program: one command line in, one exit code out.
public final class Main {
  private static final Map<String, Supplier<Command>> COMMANDS =
      Map.ofEntries(
          entry("up", () -> new UpCommand(new StandardAssembly())),
          entry("apiserver", () -> new ApiServerCommand(new StandardAssembly())),
          entry("controllers", ControllersCommand::new),
          entry("proxy", ProxyCommand::new),
          entry("agent", AgentCommand::new),
          entry("rules", RulesCommand::new),
          entry("mode", ModeCommand::new),
          entry("dns", DnsCommand::new),
          entry("dns-server", DnsServerCommand::new),
          entry("down", DownCommand::new),
          entry("status", StatusCommand::new),
          entry("shell", ShellCommand::new),
          entry("doctor", DoctorCommand::new),
          entry("store", StoreCommand::new),
          entry("version", VersionCommand::new),
          entry("completion", CompletionCommand::new),
          entry("help", HelpCommand::new));

  private Main() {}

  private static Map.Entry<String, Supplier<Command>> entry(
      String verb, Supplier<Command> command) {
    return Map.entry(verb, command);
  }

  public static void main(String[] words) {
    // By name, before the class LogManager is initialized: that is when it looks.
    System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
    System.exit(run(List.of(words)));
  }

  /// Everything the command line can do, for tests too.
  public static Shell shell() {
    return new Shell(COMMANDS);
  }

  private static int run(List<String> words) {
    // Fairlead writes UTF-8 whatever the locale; the marks are ASCII where the locale is not UTF-8.
    PrintStream out = stream(FileDescriptor.out);
    PrintStream err = stream(FileDescriptor.err);
    Map<String, String> properties = new HashMap<>();
    System.getProperties()
        .forEach(
            (name, value) -> {
              if (String.valueOf(name).startsWith("fairlead.")) {
                properties.put(String.valueOf(name), String.valueOf(value));
              }
            });
    Context context = Context.of(System.getenv(), properties, out, err, InstantSource.system());
    // Under another program's name this program takes that program's command line.
    List<String> line = new ArrayList<>(words);
    switch (properties.getOrDefault("fairlead.called", "")) {
      case "kube-proxy" -> line.addFirst("proxy");
      case "coredns" -> line.addFirst("dns-server");
      default -> {}
    }
    try {
      return shell().run(line, context);
    } finally {
      out.flush();
      err.flush();
    }
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
