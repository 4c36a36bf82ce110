package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.auth.Impersonation;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.http.HttpPeer;
import io.fairlead.server.resource.ClusterReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Passes requests on to pods, services and nodes, for people who can reach this server but not
/// them. The client's credentials stay here.
public final class Proxies {
  private static final int CONNECT_MILLIS = 10_000;

  private final NodeDirectory nodes;
  private final Targets targets;

  public Proxies(NodeDirectory nodes, ClusterReader reader, RandomGenerator random) {
    this.nodes = nodes;
    this.targets = new Targets(reader, random);
  }

  /// @param resource `pods`, `services` or `nodes`
  /// @param name `[SCHEME:]NAME[:PORT]`
  /// @param prefix the path up to `proxy`, as it came
  /// @param rest what follows it, as it came; begins with a slash unless it is empty
  public void serve(
      Exchange exchange, String resource, String namespace, String name, String prefix, String rest)
      throws IOException {
    String query = query(exchange.uri());
    String target = (rest.isEmpty() ? "/" : rest) + query;
    if (resource.equals("nodes")) {
      HttpPeer peer = nodes.connect(name);
      pass(exchange, peer, target, name, prefix, name);
      return;
    }
    Targets.Name wanted = Targets.Name.parse(name);
    Targets.Target place =
        resource.equals("pods")
            ? targets.pod(namespace, wanted)
            : targets.service(namespace, wanted);
    String host = place.host().contains(":") ? "[" + place.host() + "]" : place.host();
    pass(exchange, connect(place), target, host + ":" + place.port(), prefix, "");
  }

  private static void pass(
      Exchange exchange, HttpPeer peer, String target, String host, String prefix, String node)
      throws IOException {
    try {
      Relay relay = new Relay(exchange, peer);
      long length = exchange.contentLength();
      boolean body = length > 0 || exchange.header("Transfer-Encoding") != null;
      relay.ask(exchange.method(), target, headers(exchange, host, body ? length : 0));
      if (body) {
        relay.askWithBody(length);
      }
      if (node.isEmpty()) {
        relay.answer(
            (name, value) ->
                name.equalsIgnoreCase("Location") && value.startsWith("/")
                    ? prefix + value
                    : value);
      } else {
        relay.nodeAnswer(node);
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

  private static List<Map.Entry<String, String>> headers(
      Exchange exchange, String host, long length) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry("Host", host));
    for (String name : exchange.headerNames()) {
      if (!isKept(name)) {
        continue;
      }
      exchange.headers(name).forEach(value -> headers.add(Map.entry(name, value)));
    }
    headers.add(Map.entry("X-Forwarded-For", exchange.remoteAddress()));
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

  private static boolean isKept(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "host", "authorization", "content-length", "x-forwarded-for" -> false;
      default -> !Relay.isHopByHop(name) && !Impersonation.isHeader(name) && !name.startsWith(":");
    };
  }

  private static HttpPeer connect(Targets.Target place) throws IOException {
    try {
      if (place.tls()) {
        return new HttpPeer(NodeTls.connectToAnyone(place.host(), place.port()));
      }
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(place.host(), place.port()), CONNECT_MILLIS);
        return new HttpPeer(socket);
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

  private static String query(String uri) {
    int mark = uri.indexOf('?');
    return mark < 0 ? "" : uri.substring(mark);
  }
}
