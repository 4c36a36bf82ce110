package io.fairlead.proxy.testing;

import io.fairlead.api.net.Cidr;
import io.fairlead.proxy.bgp.BgpConfiguration;
import io.fairlead.proxy.bgp.BgpEngine;
import io.fairlead.proxy.bgp.BgpEngineException;
import io.fairlead.proxy.bgp.BgpPassword;
import io.fairlead.proxy.bgp.BgpSession;
import io.fairlead.proxy.bgp.BgpSessionState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// An engine whose routers are in memory. A session is up when its router is there and has the same
/// password; what it then says the router has at once.
public final class FakeBgpEngine implements BgpEngine {
  private final Map<String, Optional<BgpPassword>> routers = new HashMap<>();
  private BgpConfiguration now = BgpConfiguration.NONE;
  private String failure = "";
  private int applied;

  /// A router answers from now on.
  public synchronized void router(String name, Optional<BgpPassword> password) {
    routers.put(name, password);
  }

  /// A router answers no more, and forgets.
  public synchronized void routerGone(String name) {
    routers.remove(name);
  }

  /// The program fails from now on, with these words; empty for no more.
  public synchronized void fail(String why) {
    failure = why;
  }

  /// The routes a router has from this node.
  public synchronized SortedSet<Cidr> routes(String router) {
    return now.sessions().stream()
        .filter(session -> session.name().equals(router) && isUp(session))
        .findFirst()
        .map(session -> (SortedSet<Cidr>) new TreeSet<>(session.routes()))
        .orElseGet(TreeSet::new);
  }

  /// How often a configuration was applied.
  public synchronized int applied() {
    return applied;
  }

  private boolean isUp(BgpSession session) {
    return session.password().equals(routers.get(session.name()));
  }

  private void check() {
    if (!failure.isEmpty()) {
      throw new BgpEngineException(failure);
    }
  }

  @Override
  public synchronized void apply(BgpConfiguration configuration) {
    check();
    now = configuration;
    applied++;
  }

  @Override
  public synchronized boolean isActive() {
    return !now.sessions().isEmpty();
  }

  @Override
  public synchronized List<BgpSessionState> states() {
    check();
    return now.sessions().stream()
        .map(
            session ->
                isUp(session)
                    ? new BgpSessionState(session.name(), "Established", "")
                    : new BgpSessionState(session.name(), "Connect", "Connection refused"))
        .toList();
  }

  @Override
  public synchronized void close() {
    now = BgpConfiguration.NONE;
  }
}
