package io.fairlead.app.dns;

import io.fairlead.api.net.IpAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// The Corefile of the DNS server inside `up`. Pure.
///
/// @param address the cluster IP it listens on
/// @param port usually 53
/// @param domain `cluster.local`
/// @param api where the API is
/// @param pki the directory with the server's certificate and the CA
/// @param upstreams who knows all other names; none: other names are refused
record ClusterCorefile(
    IpAddress address, int port, String domain, URI api, Path pki, List<IpAddress> upstreams) {
  /// The name of the identity it shows to the API.
  static final String IDENTITY = "coredns";

  ClusterCorefile {
    upstreams = List.copyOf(upstreams);
  }

  /// The name servers of a `resolv.conf` without our own address, which would ask itself.
  static List<IpAddress> upstreams(String resolvConf, IpAddress own) {
    return resolvConf
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 1 && words[0].equals("nameserver"))
        .map(words -> IpAddress.parseOrNull(words[1]))
        .filter(server -> server != null && !server.equals(own))
        .map(IpAddress.class::cast)
        .distinct()
        .toList();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Written by `fairlead up` at each start.
        .:%d {
            bind %s
            errors
            kubernetes %s in-addr.arpa ip6.arpa {
                endpoint %s
                tls %s %s %s
                pods insecure
                fallthrough in-addr.arpa ip6.arpa
            }
        """
            .formatted(
                port,
                address,
                domain,
                api,
                quoted(pki.resolve(IDENTITY + ".crt")),
                quoted(pki.resolve(IDENTITY + ".key")),
                quoted(pki.resolve("ca.crt"))));
    if (!upstreams.isEmpty()) {
      text.append("    forward .");
      upstreams.forEach(server -> text.append(" ").append(server));
      text.append("\n");
    }
    return text.append("    cache 30\n    loadbalance\n}\n").toString();
  }

  private static String quoted(Path path) {
    return "\"" + path + "\"";
  }
}
