package io.fairlead.agent.network;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig.HostPort;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.LinkKind;
import io.fairlead.kernel.route.Route;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.Ticker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Gives each pod a network namespace, an address and a cable to the node.
///
/// How it works: a veth pair is a cable with two ends. One end lies in the pod and carries the
/// pod's address; the other lies in the node and carries the gateway's address, the same on every
/// cable. The pod sends everything to the gateway; the node has one route per pod, to that pod's
/// cable. No bridge, so every packet between pods passes the node's rules, also those of the proxy.
///
/// Safe for many threads.
public final class PodNetwork {
  /// The name of the network; the directory of its addresses, as CNI's `host-local` keeps them.
  public static final String NAME = "fairlead";

  private static final String NAMESPACE_PREFIX = "fairlead-";
  private static final String LINK_PREFIX = "fl";

  private final HostNamespace host;
  private final List<AddressPool> pools = new ArrayList<>();
  private final Path addresses;
  private final NodeSysctls sysctls;
  private final IptablesEgressMasquerade oldEgress;
  private final HostPorts hostPorts;
  private final Optional<Integer> mtu;

  /// With cables as the kernel makes them.
  public PodNetwork(HostNamespace host, Path directory, List<Cidr> ranges) {
    this(host, directory, ranges, Optional.empty());
  }

  /// @param directory keeps addresses and what must be undone
  /// @param ranges of this node's pods, one of each family at most
  /// @param mtu the longest packet pods may send; empty for what the kernel says
  public PodNetwork(HostNamespace host, Path directory, List<Cidr> ranges, Optional<Integer> mtu) {
    this.host = host;
    this.mtu = mtu;
    this.addresses = directory.resolve(NAME);
    for (Cidr range : ranges) {
      pools.add(new AddressPool(addresses, range, pools.size(), Ticker.system()));
    }
    this.hostPorts = new HostPorts(host, directory.resolve("hostports"));
    this.sysctls = new NodeSysctls(host, directory.resolve("sysctls"));
    this.oldEgress = new IptablesEgressMasquerade(host, directory.resolve("egress"));
  }

  public HostNamespace host() {
    return host;
  }

  /// The longest packet pods may send; empty for what the kernel says.
  public Optional<Integer> mtu() {
    return mtu;
  }

  /// Prepares the node: packets are forwarded, and those that leave the cluster are masqueraded.
  ///
  /// @param cluster ranges of all pods
  public void prepare(Collection<Cidr> cluster, Collection<IpAddress> nodes) {
    for (AddressPool pool : pools) {
      sysctls.set(
          pool.range().address().isIpv4() ? "net/ipv4/ip_forward" : "net/ipv6/conf/all/forwarding",
          "1");
    }
    // Packets may come another way than answers go, as to a node's port or through a tunnel.
    sysctls.loosen("net/ipv4/conf/all/rp_filter", "net/ipv4/conf/default/rp_filter");
    spare(cluster, nodes);
  }

  /// Sets what is inside the cluster, whose packets keep their source.
  ///
  /// @param cluster ranges of all pods
  public void spare(Collection<Cidr> cluster, Collection<IpAddress> nodes) {
    List<Cidr> own = pools.stream().map(AddressPool::range).toList();
    try {
      host.run(() -> EgressMasquerade.write(own, cluster, nodes));
    } catch (NetlinkException e) {
      if (!e.errno().equals(Errno.EOPNOTSUPP)) {
        throw e;
      }
      oldEgress.write(own, cluster, nodes);
    }
  }

  /// The namespace of a sandbox.
  public static NetworkNamespace namespace(String sandbox) {
    return new NetworkNamespace(NAMESPACE_PREFIX + sandbox);
  }

  /// Connects a new sandbox that no port of the node leads to.
  ///
  /// @return its addresses
  public List<String> connect(String sandbox) {
    return connect(sandbox, List.of());
  }

  /// Connects a new sandbox. When anything fails, nothing of it stays.
  ///
  /// @param ports of the node that lead to it
  /// @return its addresses
  public List<String> connect(String sandbox, List<HostPort> ports) {
    try {
      List<IpAddress> addresses = new ArrayList<>();
      for (AddressPool pool : pools) {
        addresses.add(pool.take(sandbox));
      }
      NetworkNamespace namespace = NetworkNamespace.create(namespace(sandbox).name());
      String link = link(sandbox);
      host.run(() -> nodeSide(link, namespace, addresses));
      namespace.run(() -> podSide(addresses));
      hostPorts.add(sandbox, link, addresses, ports);
      return addresses.stream().map(IpAddress::toString).toList();
    } catch (RuntimeFailure e) {
      disconnect(sandbox);
      throw e;
    } catch (SystemCallException e) {
      disconnect(sandbox);
      throw new RuntimeFailure(
          "ContainerCreating", "network of sandbox " + sandbox + ": " + e.getMessage());
    }
  }

  private void nodeSide(String link, NetworkNamespace namespace, List<IpAddress> addresses) {
    try (Rtnetlink network = Rtnetlink.open()) {
      network.addLink(link, new LinkKind.Veth("eth0", namespace));
      int index = network.link(link).orElseThrow().index();
      mtu.ifPresent(bytes -> network.setMtu(index, bytes));
      network.setUp(index, true);
      for (int i = 0; i < addresses.size(); i++) {
        network.addAddress(index, KernelAddresses.single(pools.get(i).gateway()));
        network.replaceRoute(new Route(KernelAddresses.single(addresses.get(i)), null, index));
      }
    }
  }

  private void podSide(List<IpAddress> addresses) {
    try (Rtnetlink network = Rtnetlink.open()) {
      network.setUp(network.link("lo").orElseThrow().index(), true);
      int index = network.link("eth0").orElseThrow().index();
      mtu.ifPresent(bytes -> network.setMtu(index, bytes));
      network.setUp(index, true);
      for (int i = 0; i < addresses.size(); i++) {
        IpAddress gateway = pools.get(i).gateway();
        network.addAddress(index, KernelAddresses.single(addresses.get(i)));
        network.addRoute(new Route(KernelAddresses.single(gateway), null, index));
        network.addRoute(
            new Route(
                IpPrefix.parse(gateway.isIpv4() ? "0.0.0.0/0" : "::/0"),
                KernelAddresses.inet(gateway),
                index));
      }
    }
  }

  /// Takes a sandbox's network away. What is not there is fine.
  public void disconnect(String sandbox) {
    hostPorts.remove(sandbox);
    host.run(() -> deleteLink(link(sandbox)));
    namespace(sandbox).delete();
    pools.forEach(pool -> pool.free(sandbox));
  }

  /// Whether a sandbox of an earlier program is still connected: its namespace can be entered and
  /// both ends of its cable are there. A program in another mount namespace finds the name of a
  /// namespace, but not always the namespace.
  public boolean isConnected(String sandbox) {
    if (!namespace(sandbox).exists()) {
      return false;
    }
    try {
      return host.call(() -> hasLink(link(sandbox)))
          && namespace(sandbox).call(() -> hasLink("eth0"));
    } catch (SystemCallException _) {
      return false;
    }
  }

  private static boolean hasLink(String name) {
    try (Rtnetlink network = Rtnetlink.open()) {
      return network.link(name).isPresent();
    }
  }

  private static void deleteLink(String name) {
    try (Rtnetlink network = Rtnetlink.open()) {
      Optional<Link> link = network.link(name);
      if (link.isPresent()) {
        network.deleteLink(link.get().index());
      }
    } catch (NetlinkException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /// Frees the addresses of all sandboxes of a kind but these.
  public void keepOnly(Set<String> sandboxes, Predicate<String> kind) {
    pools.forEach(pool -> pool.keepOnly(sandboxes, kind));
    hostPorts.keepOnly(sandboxes, kind);
  }

  /// Leaves the node as it was found, once no sandbox is connected any more.
  public void tearDown() {
    hostPorts.tearDown();
    host.run(EgressMasquerade::remove);
    oldEgress.remove();
    sysctls.restore();
    AddressPool.forgetAll(addresses);
  }

  /// The node's end of a sandbox's cable; names of interfaces have 15 letters at most.
  static String link(String sandbox) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(sandbox.getBytes(StandardCharsets.UTF_8));
      return LINK_PREFIX + HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
