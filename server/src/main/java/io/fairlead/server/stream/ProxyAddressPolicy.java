package io.fairlead.server.stream;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.ClusterReader;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where this server connects to on behalf of clients. Objects name the address, so a user who may
/// write a Node or a pod's status chooses it: loopback, link-local, unspecified and multicast
/// addresses, API servers and Services are refused (CVE-2020-8555, CVE-2022-3294).
///
/// Names are resolved here, and callers connect to the address that was checked: no second answer
/// of a name server can lead elsewhere. Safe for many threads.
final class ProxyAddressPolicy {
  /// 64:ff9b::/96, 64:ff9b:1::/48, 2002::/16 and ::ffff:0:0:0/96.
  private static final List<String> TRANSLATED =
      List.of("0064ff9b0000000000000000", "0064ff9b0001", "2002", "0000000000000000ffff0000");

  /// Where clouds tell machines their secrets, beside the link-local address that most use: AWS and
  /// Google over IPv6, Alibaba, Oracle.
  private static final Set<IpAddress> METADATA =
      Set.of(
          IpAddress.parse("fd00:ec2::254"),
          IpAddress.parse("fd20:ce::254"),
          IpAddress.parse("100.100.100.200"),
          IpAddress.parse("192.0.0.192"));

  /// Numbers with a leading zero, which some programs read as octal and others do not.
  private static final Pattern AMBIGUOUS = Pattern.compile("(.*\\.)?0[0-9]+(\\.[0-9.]*)?");

  private static final int LONGEST_NAME = 253;

  private final ClusterReader reader;
  private final Set<Integer> ownPorts = ConcurrentHashMap.newKeySet();

  ProxyAddressPolicy(ClusterReader reader) {
    this.reader = reader;
  }

  /// This server listens on that port of this machine.
  void addOwnPort(int port) {
    ownPorts.add(port);
  }

  /// Resolves a host and lets it pass, with the address to connect to.
  ///
  /// @throws ApiException 400 when any of its addresses is not allowed, or there is none
  InetAddress check(String host, int port) {
    InetAddress[] found = resolve(host, port);
    for (InetAddress address : found) {
      if (isForbidden(address) || isServer(address, port) || isService(address)) {
        throw refused();
      }
    }
    return found[0];
  }

  /// The same for an address that must be a literal: no name is looked up for it.
  InetAddress checkLiteral(String address, int port) {
    try {
      InetAddress _ = InetAddress.ofLiteral(address);
    } catch (IllegalArgumentException e) {
      throw refused();
    }
    return check(address, port);
  }

  /// The same for a host in the URL of a webhook, which only who may do anything to all objects can
  /// write: a program on this machine and a Service are allowed too. Link-local, unspecified and
  /// multicast addresses and API servers are not.
  ///
  /// @return all its addresses
  List<InetAddress> checkConfigured(String host, int port) {
    InetAddress[] found = resolve(host, port);
    for (InetAddress address : found) {
      if ((isForbidden(address) && !address.isLoopbackAddress()) || isServer(address, port)) {
        throw refused();
      }
    }
    return List.of(found);
  }

  private static InetAddress[] resolve(String host, int port) {
    if (host.isEmpty()
        || host.length() > LONGEST_NAME
        || port < 1
        || port > 0xffff
        || AMBIGUOUS.matcher(host).matches()) {
      throw refused();
    }
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException _) {
      throw refused();
    }
  }

  private static ApiException refused() {
    return ApiException.badRequest("address not allowed");
  }

  private static boolean isForbidden(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (METADATA.contains(IpAddress.ofBytes(bytes))) {
      return true;
    }
    if (address instanceof Inet6Address six
        && (six.isIPv4CompatibleAddress() || six.isSiteLocalAddress() || isTranslated(bytes))) {
      return true;
    }
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || (address instanceof Inet4Address && (bytes[0] == 0 || (bytes[0] & 0xff) >= 240));
  }

  /// Whether routers make an IPv4 address of it, which may be any (RFC 6052, 8215, 3056, 7915): no
  /// node and no pod has such an address.
  private static boolean isTranslated(byte[] bytes) {
    String text = HexFormat.of().formatHex(bytes);
    return TRANSLATED.stream().anyMatch(text::startsWith);
  }

  /// Whether an API server listens there: this one, or another of the cluster.
  private boolean isServer(InetAddress address, int port) {
    if (ownPorts.contains(port) && isLocal(address)) {
      return true;
    }
    ObjectNode servers = reader.get("", "endpoints", "default", "kubernetes");
    if (servers == null) {
      return false;
    }
    IpAddress wanted = IpAddress.ofBytes(address.getAddress());
    for (JsonNode subset : servers.path("subsets")) {
      for (JsonNode each : subset.path("addresses")) {
        if (wanted.equals(IpAddress.parseOrNull(Json.textOr(each, "", "ip")))) {
          for (JsonNode open : subset.path("ports")) {
            if (open.path("port").asInt(0) == port) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  private static boolean isLocal(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return true; // unknown: better refused
    }
  }

  private boolean isService(InetAddress address) {
    IpAddress wanted = IpAddress.ofBytes(address.getAddress());
    for (ObjectNode range : reader.list("networking.k8s.io", "servicecidrs", "")) {
      for (JsonNode text : range.path("spec").path("cidrs")) {
        Cidr cidr = Cidr.parseOrNull(text.asString(""));
        if (cidr != null && cidr.family() == wanted.family() && cidr.contains(wanted)) {
          return true;
        }
      }
    }
    return false;
  }
}
