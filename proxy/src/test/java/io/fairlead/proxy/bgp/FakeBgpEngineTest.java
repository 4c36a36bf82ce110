package io.fairlead.proxy.bgp;

import io.fairlead.api.net.Cidr;
import io.fairlead.proxy.testing.FakeBgpEngine;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.BeforeEach;

/// The fake keeps the contract.
class FakeBgpEngineTest extends BgpEngineContract {
  private final FakeBgpEngine engine = new FakeBgpEngine();

  @BeforeEach
  void router() {
    engine.router("tor-1", Optional.of(new BgpPassword("right")));
  }

  @Override
  BgpEngine engine() {
    return engine;
  }

  @Override
  SortedSet<Cidr> heard() {
    return engine.routes("tor-1");
  }
}
