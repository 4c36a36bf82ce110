package io.fairlead.app.cli;

import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import io.fairlead.client.ClientConfig;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// Everything a command sees of the world around it, so that a test can hand it another one.
///
/// @param environment the environment variables
/// @param properties what the launcher said: `fairlead.called`, `fairlead.tty`, `fairlead.home`; a
///   test says `fairlead.local=off`
/// @param terminal where it writes
/// @param messages the sentences in the user's language
/// @param clock what time it is
/// @param connection the API server to ask and as whom, where that is settled before a command
///   looks for a kubeconfig
public record CommandContext(
    Map<String, String> environment,
    Map<String, String> properties,
    Terminal terminal,
    MessageCatalog messages,
    InstantSource clock,
    Optional<ClientConfig> connection) {
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
        clock,
        Optional.empty());
  }

  /// The same, with the API server that its commands ask.
  public CommandContext asking(ClientConfig server) {
    return new CommandContext(
        environment, properties, terminal, messages, clock, Optional.of(server));
  }

  /// The same, with colour as `--color` says.
  CommandContext colored(String when) {
    String terminals = properties.getOrDefault("fairlead.tty", "");
    Terminal painted = Terminal.of(terminal.out(), terminal.err(), environment, terminals, when);
    return new CommandContext(environment, properties, painted, messages, clock, connection);
  }

  public String text(String key, Object... values) {
    return messages.text(key, values);
  }

  /// Whether the proxy of this machine is asked. A test says no: other tests run proxies here.
  public boolean asksThisMachine() {
    return !"off".equals(properties.get("fairlead.local"));
  }

  /// Whether this program stands in for another one, under its name.
  public boolean isCalled(String program) {
    return program.equals(properties.get("fairlead.called"));
  }

  /// How the user calls this program.
  public String program() {
    return isCalled("kubectl-fairlead") ? "kubectl fairlead" : "fairlead";
  }
}
