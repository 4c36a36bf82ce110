package io.fairlead.app.hoststate;

import io.fairlead.agent.Agent;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.app.dns.ClusterDns;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.node.BirdOptions;
import io.fairlead.app.node.LocalBalancerRange;
import io.fairlead.app.node.LoopbackAddress;
import io.fairlead.app.node.NodeProxy;
import io.fairlead.app.node.ServiceRoute;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.policy.runtime.PolicyDaemon;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.iptables.NfacctCounters;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the node of a data directory leaves on the machine, and how it goes.
///
/// How it works: before the first change the whole network state is written down. Whatever ends the
/// process, the record stays until everything is undone. Then the state is looked at again: what
/// differs is either ours and was left behind, or belongs to another program.
public final class NodeCleanup {
  private static final Logger log = LoggerFactory.getLogger(NodeCleanup.class);
  private static final Pattern OURS =
      Pattern.compile("(?i)fairlead|kube-|sysctl|^\\+ fl[0-9a-f]{12}\\b|^\\+ counter |^[+-] net/");

  private static final int COUNTER_TRIES = 500;
  private static final Duration GLANCE = Duration.ofMillis(20);

  private final DataDirectory directory;

  public NodeCleanup(DataDirectory directory) {
    this.directory = directory;
  }

  /// What undoing came to.
  ///
  /// @param left what of ours is still there
  /// @param foreign what others changed meanwhile
  public record Outcome(List<String> left, List<String> foreign) {
    public Outcome {
      left = List.copyOf(left);
      foreign = List.copyOf(foreign);
    }
  }

  /// Writes down the state of the network before the first change. A record of an earlier process
  /// that was not undone stays: the state of now is not that of before.
  ///
  /// @param proxy whether rules of a proxy will be written
  /// @return whether this is the first change since the last was undone
  public boolean remember(boolean proxy) {
    boolean first = NetworkSnapshot.read(before()).filter(NetworkSnapshot::isOfHere).isEmpty();
    if (first) {
      NetworkSnapshot.now().write(before());
      forget(proxied());
    }
    if (proxy) {
      try {
        Files.writeString(proxied(), "");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return first;
  }

  /// Whether the node ran in another network namespace than this process, since the machine was
  /// started: then it has to be undone there.
  public Optional<String> elsewhere() {
    return NetworkSnapshot.read(before())
        .filter(footprint -> footprint.boot().equals(NetworkSnapshot.thisBoot()))
        .map(NetworkSnapshot::namespace)
        .filter(namespace -> !namespace.equals(NetworkSnapshot.thisNamespace()));
  }

  /// Takes everything away that the node set, and looks again. Empty when there is nothing to undo.
  public Optional<Outcome> undo() {
    boolean pods = Agent.removeAll(directory.agent(), HostNamespace.OWN);
    BirdOptions.ofOwn(directory.bird()).close();
    Optional<NetworkSnapshot> before = NetworkSnapshot.read(before());
    if (before.filter(NetworkSnapshot::isOfHere).isEmpty()) {
      forget(before());
      forget(proxied());
      return pods ? Optional.of(new Outcome(List.of(), List.of())) : Optional.empty();
    }
    ServiceRoute.remove();
    ClusterDns.address(directory.dns()).remove();
    new LoopbackAddress(directory.podApi()).remove();
    new LocalBalancerRange(directory.loadBalancer()).remove();
    removePolicies();
    if (Files.exists(proxied())) {
      for (String problem : NodeProxy.removeRules(ProxyConfiguration.defaults())) {
        log.atDebug().addKeyValue("why", problem).log("rules of a mode were not looked for");
      }
      KubeFirewallChain.removeNew(before.get().rules());
      removeCounters(Ruleset.counters(before.get().rules()));
      EmptyTables.removeNew(before.get().rules());
    }
    restore(before.get());
    Outcome outcome = judged(before.get().differences(NetworkSnapshot.now()));
    if (outcome.left().isEmpty()) {
      forget(before());
      forget(proxied());
    }
    return Optional.of(outcome);
  }

  private static void removePolicies() {
    try {
      PolicyDaemon.removeTables();
    } catch (SystemCallException e) {
      log.atDebug().addKeyValue("why", e.getMessage()).log("rules of policies were not removed");
    }
  }

  /// The rules that counted are gone, but the kernel may not have let go of them yet.
  private static void removeCounters(List<String> kept) {
    try {
      for (int tries = 0; tries < COUNTER_TRIES && !NfacctCounters.remove(kept); tries++) {
        Pacer.system().pause(GLANCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Forgets what was set in a network that is gone.
  public void forget() {
    for (Path file :
        List.of(
            before(),
            proxied(),
            directory.agent().resolve("active"),
            directory.agent().resolve("network/sysctls"),
            directory.dns().resolve("address"),
            directory.dns().resolve("route"),
            directory.podApi().resolve("address"))) {
      forget(file);
    }
  }

  static Outcome judged(List<String> differences) {
    return new Outcome(
        differences.stream().filter(line -> OURS.matcher(line).find()).toList(),
        differences.stream().filter(line -> !OURS.matcher(line).find()).toList());
  }

  private static void restore(NetworkSnapshot before) {
    before
        .sysctls()
        .forEach(
            (name, value) -> {
              if (NetworkSnapshot.sysctl(name).filter(now -> !now.equals(value)).isPresent()) {
                try {
                  Files.writeString(Path.of("/proc/sys").resolve(name), value);
                } catch (IOException e) {
                  log.atDebug().addKeyValue("name", name).setCause(e).log("cannot be put back");
                }
              }
            });
  }

  private Path before() {
    return directory.root().resolve("before.json");
  }

  private Path proxied() {
    return directory.root().resolve("proxied");
  }

  private static void forget(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
