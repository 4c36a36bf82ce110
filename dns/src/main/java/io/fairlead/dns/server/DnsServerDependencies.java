package io.fairlead.dns.server;

import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;

/// What the server takes from outside.
///
/// @param plugins by name
/// @param random safe for any thread and hard to guess
/// @param slowQueries how many questions may be on their way through chains at the same time
public record DnsServerDependencies(
    Map<String, PluginFactory> plugins,
    InstantSource clock,
    Ticker ticker,
    Pacer pacer,
    RandomGenerator random,
    int slowQueries) {
  /// Enough for a slow upstream, few enough for the memory of a stock pod.
  public static final int SLOW_QUERIES = 2048;

  public DnsServerDependencies {
    plugins = Map.copyOf(plugins);
  }
}
