package io.fairlead.app.lab;

import io.fairlead.api.net.Cidr;
import io.fairlead.app.dns.DnsClient;
import io.fairlead.app.dns.SearchList;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/// Names as a pod of a namespace finds them: by the DNS of the cluster, with its search list.
record ClusterNames(DnsClient dns, String zone) {
  private static final int A = 1;
  private static final int PORT = 53;
  private static final int OFFSET = 10;

  /// Those of an instance whose ranges are the usual ones.
  static ClusterNames ofLab() {
    ApiServerConfig usual = ApiServerConfig.defaults(Path.of("/"));
    Cidr services = Cidr.parse(usual.services().cidrs().getFirst()).masked();
    InetAddress server = InetAddress.ofLiteral(services.at(OFFSET).toString());
    return new ClusterNames(
        new DnsClient(new InetSocketAddress(server, PORT), Ticker.system(), new SecureRandom()),
        usual.clusterDomain());
  }

  /// @throws UnknownHostException when the cluster knows no address of it
  InetAddress find(String host, String namespace) throws IOException {
    Optional<InetAddress> literal = literal(host);
    if (literal.isPresent()) {
      return literal.get();
    }
    for (String name : SearchList.of(namespace, zone).names(host)) {
      for (ResourceRecord each : dns.ask(name, A).reply().answer()) {
        if (each.data() instanceof RecordData.Address(var address)) {
          return InetAddress.ofLiteral(address.toString());
        }
      }
    }
    throw new UnknownHostException(
        "the DNS of the cluster has no address of `" + host + "`, asked from " + namespace);
  }

  private static Optional<InetAddress> literal(String host) {
    if (host.equals("localhost")) {
      return Optional.of(InetAddress.getLoopbackAddress());
    }
    boolean bare = host.startsWith("[") && host.endsWith("]");
    try {
      return Optional.of(InetAddress.ofLiteral(bare ? host.substring(1, host.length() - 1) : host));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
