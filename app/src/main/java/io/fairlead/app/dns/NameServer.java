package io.fairlead.app.dns;

import io.fairlead.client.time.Pacer;
import io.fairlead.client.time.Ticker;
import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.Configuration;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.dns.server.Environment;
import java.security.SecureRandom;
import java.time.InstantSource;

/// Starts DNS servers with all plugins there are.
public final class NameServer {
  private NameServer() {}

  /// @throws SetupException when the configuration cannot be used or a port is taken; nothing is
  ///   left behind then
  public static DnsServer start(Configuration configuration, InstantSource clock)
      throws SetupException {
    return DnsServer.start(configuration, environment(clock));
  }

  /// Makes everything and starts nothing.
  public static void check(Configuration configuration, InstantSource clock) throws SetupException {
    DnsServer.check(configuration, environment(clock));
  }

  private static Environment environment(InstantSource clock) {
    return new Environment(
        StandardPlugins.byName(),
        clock,
        Ticker.system(),
        Pacer.system(),
        new SecureRandom(),
        Environment.SLOW_QUERIES);
  }
}
