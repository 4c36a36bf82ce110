package io.fairlead.proxy.bgp;

import io.fairlead.api.loadbalancer.BgpPeer;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Sessions for tests, written as in pools.yaml.
public final class BgpTestSessions {
  private BgpTestSessions() {}

  /// @param fields `name: tor-1, address: 192.0.2.1`; numbers of autonomous systems are added
  public static BgpPeer peer(String fields) {
    return PoolFileReader.read("peers: [{asn: 64512, myAsn: 65000, " + fields + "}]")
        .peers()
        .getFirst();
  }

  public static SortedSet<Cidr> routes(String... routes) {
    SortedSet<Cidr> all = new TreeSet<>();
    for (String route : routes) {
      all.add(Cidr.parse(route));
    }
    return all;
  }

  public static BgpSession session(String fields, String... routes) {
    SortedSet<Cidr> all = routes(routes);
    EnumSet<IpAddress.Family> families = EnumSet.of(IpAddress.Family.IPV4);
    all.forEach(route -> families.add(route.family()));
    return new BgpSession(peer(fields), families, all);
  }

  public static BgpConfiguration configuration(BgpSession... sessions) {
    return new BgpConfiguration(IpAddress.parse("192.168.77.11"), List.of(sessions));
  }
}
