package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.UserInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Passes `/fairlead/v1/nodes/NODE/WHAT` on to the node's own server, and says who asks: the node
/// has that user's rights checked once more.
public final class NodeInsightRelay {
  private static final int LARGEST_BODY = 64 << 10;

  private final NodeDirectory nodes;

  public NodeInsightRelay(NodeDirectory nodes) {
    this.nodes = nodes;
  }

  /// @param what the path behind the node's name
  public void serve(HttpServerExchange exchange, UserInfo user, String node, String what)
      throws IOException {
    int mark = exchange.uri().indexOf('?');
    String target = "/fairlead/v1/" + what + (mark < 0 ? "" : exchange.uri().substring(mark));
    // Small, and of unknown length from some clients: read before it is passed on.
    byte[] body = exchange.body().readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      throw ApiException.tooLarge(LARGEST_BODY);
    }
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry("Host", node));
    headers.add(Map.entry("User-Agent", "fairlead-apiserver"));
    headers.add(Map.entry("Connection", "close"));
    headers.addAll(actingAs(user));
    if (body.length > 0) {
      headers.add(Map.entry("Content-Length", Integer.toString(body.length)));
      headers.add(Map.entry("Content-Type", "application/json"));
    }
    HttpClientConnection peer = nodes.connect(node);
    UpgradeAwareProxy relay = new UpgradeAwareProxy(exchange, peer);
    try {
      relay.ask(exchange.method(), target, headers);
      if (body.length > 0) {
        peer.body(new ByteArrayInputStream(body));
      }
      // A refusal is about the caller, whose rights the node asked for: it goes back as it is.
      relay.answer(ProxiedLinks.NONE);
    } finally {
      peer.close();
    }
  }

  /// The headers that say to a node for whom this server asks. A node looks at them only where it
  /// answers questions about itself.
  static List<Map.Entry<String, String>> actingAs(UserInfo user) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry("Impersonate-User", UserHeaders.value(user.name())));
    user.groups()
        .forEach(group -> headers.add(Map.entry("Impersonate-Group", UserHeaders.value(group))));
    return headers;
  }
}
