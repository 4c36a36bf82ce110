package io.fairlead.policy.runtime;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Looks every few seconds for a bridge that connects pods of this node past the rules: two of them
/// then talk without a hook that the table has. In the network namespace of the thread that starts
/// it.
final class BridgeCheck implements AutoCloseable {
  static final String KIND = "policy-bridges";

  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Path SETTINGS = Path.of("/proc/sys/net/bridge");

  private final Supplier<List<Cidr>> podRanges;
  private final Runnable changed;
  private final SupervisedLoop loop;
  private volatile Optional<String> bypass = Optional.empty();

  /// @param changed runs when the answer is another
  BridgeCheck(Supplier<List<Cidr>> podRanges, Runnable changed) {
    this.podRanges = podRanges;
    this.changed = changed;
    this.loop = SupervisedLoop.of(KIND).platform().every(LOOK).build(this::step);
  }

  void start() {
    loop.start();
  }

  void wake() {
    loop.wake();
  }

  /// The bridge and the setting that would have its packets judged; empty when there is none.
  Optional<String> bypass() {
    return bypass;
  }

  private void step() {
    Optional<String> now = look();
    boolean other = !now.equals(bypass);
    bypass = now;
    if (other) {
      changed.run();
    }
  }

  private Optional<String> look() {
    try (Rtnetlink network = Rtnetlink.open()) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        boolean ipv4 = family == IpAddress.Family.IPV4;
        String setting = ipv4 ? "bridge-nf-call-iptables" : "bridge-nf-call-ip6tables";
        Collection<InterfaceIpAddress> addresses =
            network.addresses(ipv4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6);
        Set<Integer> gateways = new HashSet<>();
        for (InterfaceIpAddress each : addresses) {
          IpAddress address = IpAddress.ofBytes(each.prefix().address().getAddress());
          if (podRanges.get().stream().anyMatch(range -> range.contains(address))) {
            gateways.add(each.link());
          }
        }
        for (Link link : network.links()) {
          if (link.kind().equals("bridge") && gateways.contains(link.index()) && isOff(setting)) {
            return Optional.of(link.name() + " needs net.bridge." + setting + "=1");
          }
        }
      }
    }
    return Optional.empty();
  }

  /// Without the kernel's module there is no such file, and no packet of a bridge is judged.
  private static boolean isOff(String setting) {
    try {
      return !Files.readString(SETTINGS.resolve(setting)).strip().equals("1");
    } catch (IOException _) {
      return true;
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
