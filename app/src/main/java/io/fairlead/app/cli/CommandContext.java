package io.fairlead.app.cli;

import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;

/// Everything a command sees of the world around it, so that a test can hand it another one.
///
/// @param environment the environment variables
/// @param properties what the launcher said: `fairlead.called`, `fairlead.tty`, `fairlead.home`; a
///   test says `fairlead.local=off`
/// @param terminal where it writes
/// @param messages the sentences in the user's language
/// @param clock what time it is
public record CommandContext(
    Map<String, String> environment,
    Map<String, String> properties,
    Terminal terminal,
    MessageCatalog messages,
    InstantSource clock) {
  public CommandContext {
    environment = Map.copyOf(environment);
    properties = Map.copyOf(properties);
  }

  public static CommandContext of(
      Map<String, String> environment,
      Map<String, String> properties,
      PrintStream out,
      PrintStream err,
      InstantSource clock) {
    return new CommandContext(
        environment,
        properties,
        Terminal.of(out, err, environment, properties.getOrDefault("fairlead.tty", ""), "auto"),
        MessageCatalog.of(Language.of(environment)),
        clock);
  }

  /// The same, with colour as `--color` says.
  CommandContext colored(String when) {
    String terminals = properties.getOrDefault("fairlead.tty", "");
    Terminal painted = Terminal.of(terminal.out(), terminal.err(), environment, terminals, when);
    return new CommandContext(environment, properties, painted, messages, clock);
  }

  public String text(String key, Object... values) {
    return messages.text(key, values);
  }

  /// Whether the proxy of this machine is asked. A test says no: other tests run proxies here.
  public boolean asksThisMachine() {
    return !"off".equals(properties.get("fairlead.local"));
  }

  /// How the user calls this program.
  public String program() {
    return "kubectl-fairlead".equals(properties.get("fairlead.called"))
        ? "kubectl fairlead"
        : "fairlead";
  }
}
