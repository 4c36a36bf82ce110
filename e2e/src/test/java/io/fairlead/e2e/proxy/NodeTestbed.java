package io.fairlead.e2e.proxy;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A node with two pods and a client outside, as network namespaces. Each pod serves its name over
/// HTTP.
public final class NodeTestbed implements AutoCloseable {
  public static final String ADDRESS = "192.0.2.10";
  public static final List<String> PODS = List.of("10.64.1.11", "10.64.1.12");
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int PORT = 8080;

  private final NetworkNamespace node;
  private final NetworkNamespace pods;
  private final NetworkNamespace client;
  private final List<HttpServer> servers = new ArrayList<>();

  public NodeTestbed(String prefix) {
    node = NetworkNamespace.create(prefix + "n");
    pods = NetworkNamespace.create(prefix + "p");
    client = NetworkNamespace.create(prefix + "c");
    String script =
        """
        set -e
        for each in %1$s %2$s %3$s; do ip -n $each link set lo up; done
        ip netns exec %1$s sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.icmp_ratelimit=0
        ip link add pods netns %1$s type veth peer name eth0 netns %2$s
        ip link add ext netns %1$s type veth peer name eth0 netns %3$s
        ip -n %1$s addr add 10.64.1.1/24 dev pods
        ip -n %1$s addr add 192.0.2.10/24 dev ext
        ip -n %2$s addr add 10.64.1.11/24 dev eth0
        ip -n %2$s addr add 10.64.1.12/24 dev eth0
        ip -n %3$s addr add 192.0.2.1/24 dev eth0
        for link in pods ext; do ip -n %1$s link set $link up; done
        ip -n %2$s link set eth0 up
        ip -n %3$s link set eth0 up
        ip -n %2$s route add default via 10.64.1.1
        ip -n %3$s route add default via 192.0.2.10
        ip -n %1$s route add default via 192.0.2.1
        """
            .formatted(node.name(), pods.name(), client.name());
    CommandRunner.Result result = CommandRunner.here(LIMIT).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build the node: " + result.error());
    }
    for (String pod : PODS) {
      servers.add(pods.call(() -> serve(pod)));
    }
  }

  private static HttpServer serve(String pod) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName(pod), PORT), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = pod.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  public NetworkNamespace namespace() {
    return node;
  }

  public CommandRunner inside() {
    return CommandRunner.inside(node, LIMIT);
  }

  /// What a client outside gets; what went wrong, when nothing.
  public String get(String host, int port) {
    return client.call(
        () -> {
          HttpURLConnection connection =
              (HttpURLConnection)
                  URI.create("http://" + host + ":" + port + "/").toURL().openConnection();
          connection.setConnectTimeout(2000);
          connection.setReadTimeout(20_000);
          connection.setRequestProperty("Connection", "close");
          try (var body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            return String.valueOf(e);
          }
        });
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop(0));
    client.delete();
    pods.delete();
    node.delete();
  }
}
