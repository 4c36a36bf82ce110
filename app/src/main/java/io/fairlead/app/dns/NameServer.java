package io.fairlead.app.dns;

import io.fairlead.client.Client;
import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.CorefileSource;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.dns.server.DnsServerDependencies;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Starts DNS servers with all plugins there are.
public final class NameServer {
  private NameServer() {}

  /// @throws SetupException when the configuration cannot be used or a port is taken; nothing is
  ///   left behind then
  public static DnsServer start(CorefileSource configuration, InstantSource clock)
      throws SetupException {
    return start(configuration, clock, client -> client);
  }

  /// @param sharing gives each client to an API server what it shares with others of the process
  public static DnsServer start(
      CorefileSource configuration, InstantSource clock, UnaryOperator<Client> sharing)
      throws SetupException {
    return DnsServer.start(configuration, environment(clock, StandardPlugins.byName(sharing)));
  }

  /// Makes everything and starts nothing.
  public static void check(CorefileSource configuration, InstantSource clock)
      throws SetupException {
    DnsServer.check(configuration, environment(clock, StandardPlugins.byName()));
  }

  private static DnsServerDependencies environment(
      InstantSource clock, Map<String, PluginFactory> plugins) {
    return new DnsServerDependencies(
        plugins,
        clock,
        Ticker.system(),
        Pacer.system(),
        new SecureRandom(),
        DnsServerDependencies.SLOW_QUERIES);
  }
}
