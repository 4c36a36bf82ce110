package io.fairlead.app.command;

import io.fairlead.app.StandardComponentFactory;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.CommandDispatcher;
import io.fairlead.app.command.explain.ExplainCommand;
import io.fairlead.app.command.expose.ExposeCommand;
import io.fairlead.app.command.inspect.DumpCommand;
import io.fairlead.app.command.inspect.EnvCommand;
import io.fairlead.app.command.inspect.HistoryCommand;
import io.fairlead.app.command.inspect.VerifyCommand;
import io.fairlead.app.command.inspect.WaitCommand;
import io.fairlead.app.command.whatif.NodropCommand;
import io.fairlead.app.command.whatif.SimulateCommand;
import io.fairlead.app.logging.ShutdownSafeLogManager;
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
          entry("up", () -> new UpCommand(parts())),
          entry("apiserver", () -> new ApiServerCommand(parts())),
          entry("controllers", ControllersCommand::new),
          entry("proxy", ProxyCommand::new),
          entry("announce", AnnounceCommand::new),
          entry("lb", LoadBalancerCommand::new),
          entry("policy", PolicyCommand::new),
          entry("agent", AgentCommand::new),
          entry("explain", ExplainCommand::new),
          entry("rules", RulesCommand::new),
          entry("trace", TraceCommand::new),
          entry("top", TopCommand::new),
          entry("ui", UiCommand::new),
          entry("history", HistoryCommand::new),
          entry("verify", VerifyCommand::new),
          entry("wait", WaitCommand::new),
          entry("env", EnvCommand::new),
          entry("dump", DumpCommand::new),
          entry("simulate", SimulateCommand::new),
          entry("nodrop", NodropCommand::new),
          entry("mode", ModeCommand::new),
          entry("expose", ExposeCommand::new),
          entry("config", ConfigCommand::new),
          entry("dns", DnsCommand::new),
          entry("dns-server", DnsServerCommand::new),
          entry("down", DownCommand::new),
          entry("status", StatusCommand::new),
          entry("shell", ShellCommand::new),
          entry("doctor", DoctorCommand::new),
          entry("store", StoreCommand::new),
          entry("tour", TourCommand::new),
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
    System.setProperty("java.util.logging.manager", ShutdownSafeLogManager.class.getName());
    System.exit(run(List.of(words)));
  }

  private static StandardComponentFactory parts() {
    return new StandardComponentFactory(new ServedCommands(() -> shell()));
  }

  /// Everything the command line can do, for tests too.
  public static CommandDispatcher shell() {
    return new CommandDispatcher(COMMANDS);
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
    CommandContext context =
        CommandContext.of(System.getenv(), properties, out, err, InstantSource.system());
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
