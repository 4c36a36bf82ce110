package io.fairlead.dns.plugin;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/// What all blocks of one configuration share.
public interface InstanceContext {
  /// All blocks of the configuration.
  List<ServerBlock> blocks();

  /// The plugins of all blocks. Complete from [Plugin#start] on.
  List<Plugin> plugins();

  /// The whole server, for questions a plugin asks itself (see [Query#nested]): block, chain and
  /// all. Too many questions inside one another are answered SERVFAIL.
  Handler resolver();

  Metrics metrics();

  /// Outlives a reload.
  SharedResources shared();

  ServerControl control();

  InstantSource clock();

  Ticker ticker();

  Pacer pacer();

  /// Safe for any thread and hard to guess.
  RandomGenerator random();
}
