package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.Impersonation;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.auth.WebSocketBearer;
import io.fairlead.server.resource.ClusterReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Passes requests on to pods, services and nodes, for people who can reach this server but not
/// them. The client's credentials stay here.
///
/// A node's own server sees this server's certificate, which may do everything there. So it is told
/// for whom: the right to a node's proxy is none to look into the node or to send packets from it.
public final class ProxySubresourceHandler {
  private static final int CONNECT_MILLIS = 10_000;

  /// A node's own server, and for whom it is asked.
  record Node(String name, UserInfo caller) {}

  private final NodeDirectory nodes;
  private final ProxyTargetResolver targets;

  public ProxySubresourceHandler(
      NodeDirectory nodes, ClusterReader reader, RandomGenerator random) {
    this.nodes = nodes;
    this.targets = new ProxyTargetResolver(reader, nodes.addresses(), random);
  }

  /// @param resource `pods`, `services` or `nodes`
  /// @param name `[SCHEME:]NAME[:PORT]`
  /// @param prefix the path up to `proxy`, as it came
  /// @param rest what follows it, as it came; begins with a slash unless it is empty
  public void serve(
      HttpServerExchange exchange,
      UserInfo user,
      String resource,
      String namespace,
      String name,
      String prefix,
      String rest)
      throws IOException {
    String query = query(exchange.uri());
    boolean read = exchange.method().equals("GET") || exchange.method().equals("HEAD");
    if (rest.isEmpty() && read && exchange.header("Upgrade") == null) {
      // Relative links of the page lead elsewhere without it.
      exchange.setStatus(301);
      exchange.setHeader("Location", prefix + "/" + query);
      return;
    }
    String target = (rest.isEmpty() ? "/" : rest) + query;
    ProxyTargetResolver.Name wanted = ProxyTargetResolver.Name.parse(name);
    ProxyTargetResolver.Target place;
    if (!resource.equals("nodes")) {
      place =
          resource.equals("pods")
              ? targets.pod(namespace, wanted)
              : targets.service(namespace, wanted);
    } else if (nodes.isServer(wanted.name(), wanted.port())) {
      HttpClientConnection peer = nodes.connect(wanted.name());
      ProxiedLinks links = ProxiedLinks.of(prefix, wanted.name(), NodeServerEndpoint.USUAL_PORT);
      pass(exchange, peer, target, wanted.name(), links, new Node(wanted.name(), user));
      return;
    } else {
      place = nodes.other(wanted);
    }
    String host = place.host().contains(":") ? "[" + place.host() + "]" : place.host();
    ProxiedLinks links = ProxiedLinks.of(prefix, host, place.port());
    pass(exchange, connect(place), target, host + ":" + place.port(), links, null);
  }

  /// Sends the request and passes the answer on.
  ///
  /// @param host as the other side is asked for
  /// @param node whose own server the peer is; null for what runs in pods
  static void pass(
      HttpServerExchange exchange,
      HttpClientConnection peer,
      String target,
      String host,
      ProxiedLinks links,
      @Nullable Node node)
      throws IOException {
    try {
      UpgradeAwareProxy relay = new UpgradeAwareProxy(exchange, peer);
      long length = exchange.contentLength();
      boolean body = length > 0 || exchange.header("Transfer-Encoding") != null;
      List<Map.Entry<String, String>> headers = headers(exchange, host, body ? length : 0);
      if (node != null) {
        headers.addAll(NodeInsightRelay.actingAs(node.caller()));
      }
      relay.ask(exchange.method(), target, headers);
      if (body) {
        relay.askWithBody(length);
      }
      // Below this path a refusal is about the caller, not about this server.
      if (node == null || target.startsWith("/fairlead/")) {
        relay.answer(links);
      } else {
        relay.nodeAnswer(node.name(), links);
      }
    } catch (IOException e) {
      peer.close();
      if (exchange.isCommitted()) {
        throw e;
      }
      throw unreachable(host, e);
    } catch (RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  static List<Map.Entry<String, String>> headers(
      HttpServerExchange exchange, String host, long length) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry("Host", host));
    for (String name : exchange.headerNames()) {
      if (!isKept(name)) {
        continue;
      }
      passedOn(name, exchange.headers(name)).forEach(value -> headers.add(Map.entry(name, value)));
    }
    headers.add(Map.entry("X-Forwarded-For", exchange.remoteAddress()));
    headers.add(Map.entry("X-Forwarded-Uri", exchange.path()));
    String asked = exchange.header("Host");
    headers.add(Map.entry("X-Forwarded-Host", asked == null ? exchange.localAddress() : asked));
    headers.add(Map.entry("X-Forwarded-Proto", "https"));
    String upgrade = exchange.header("Upgrade");
    if (upgrade != null) {
      headers.add(Map.entry("Connection", "Upgrade"));
      headers.add(Map.entry("Upgrade", upgrade));
    } else {
      headers.add(Map.entry("Connection", "close"));
    }
    if (length < 0) {
      headers.add(Map.entry("Transfer-Encoding", "chunked"));
    } else if (length > 0) {
      headers.add(Map.entry("Content-Length", Long.toString(length)));
    }
    return headers;
  }

  /// The values of a header that go on to the pod. A browser offers its token as a subprotocol; it
  /// is for this server only.
  static List<String> passedOn(String name, List<String> values) {
    return name.equalsIgnoreCase("Sec-WebSocket-Protocol")
        ? values.stream().map(WebSocketBearer::withoutToken).filter(one -> !one.isEmpty()).toList()
        : values;
  }

  private static boolean isKept(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "host",
          "authorization",
          "content-length",
          "x-forwarded-for",
          "x-forwarded-uri",
          "x-forwarded-host",
          "x-forwarded-proto" ->
          false;
      default ->
          !UpgradeAwareProxy.isHopByHop(name)
              && !Impersonation.isHeader(name)
              && !name.startsWith(":");
    };
  }

  private static HttpClientConnection connect(ProxyTargetResolver.Target place) throws IOException {
    try {
      if (place.tls()) {
        return new HttpClientConnection(NodeTls.connectToAnyone(place.address(), place.port()));
      }
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(place.address(), place.port()), CONNECT_MILLIS);
        return new HttpClientConnection(socket);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    } catch (IOException e) {
      throw unreachable(place.host() + ":" + place.port(), e);
    }
  }

  private static ApiException unreachable(String where, IOException why) {
    return new ApiException(
        Status.of(
            503,
            "ServiceUnavailable",
            "error trying to reach service: " + where + ": " + String.valueOf(why.getMessage())));
  }

  /// With its question mark; empty where there is none.
  static String query(String uri) {
    int mark = uri.indexOf('?');
    return mark < 0 ? "" : uri.substring(mark);
  }
}
