package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.http.message.HttpResponseReader;
import io.fairlead.insight.gather.ThisMachine;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.node.ProxyNodeObject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// The proxy that runs on this machine, ours or a kube-proxy: both tell their configuration and
/// their mode on the port for metrics.
public final class RunningProxy {
  private static final InetSocketAddress WHERE =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 10249);
  private static final String PART = "kubeproxy.config.k8s.io";
  private static final int LIMIT_MILLIS = 500;

  private RunningProxy() {}

  /// What it works with; empty when none answers there, or not in words we know.
  static Optional<ProxyConfiguration> configuration() {
    try {
      return Optional.of(Json.parse(read("configz")).path(PART))
          .filter(tree -> tree.isObject())
          .map(tree -> ProxyConfiguration.read(Yaml.write(tree)));
    } catch (IOException | ConfigurationException | DecodeException _) {
      return Optional.empty();
    }
  }

  /// How it carries traffic now; empty when none answers.
  static Optional<ProxyMode> mode() {
    try {
      return ProxyMode.find(new String(read("proxyMode"), StandardCharsets.UTF_8).strip());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// This machine as a node of a cluster; empty when no proxy runs here, or the cluster has no Node
  /// of its name.
  public static Optional<ThisMachine> here(Client client, CommandContext context) {
    if (!context.asksThisMachine()) {
      return Optional.empty();
    }
    Optional<ProxyConfiguration> configuration = configuration();
    Optional<ProxyMode> mode = configuration.flatMap(_ -> mode());
    if (configuration.isEmpty() || mode.isEmpty()) {
      return Optional.empty();
    }
    String given = configuration.get().text("hostnameOverride").strip();
    String name = (given.isEmpty() ? HostAddresses.hostName() : given).toLowerCase(Locale.ROOT);
    try {
      return client
          .find(ResourceType.NODES, new ObjectKey("", name))
          .map(
              node ->
                  new ThisMachine(
                      name,
                      mode.get(),
                      configuration.get(),
                      Optional.of(ProxyNodeObject.of(node))));
    } catch (ApiException | ConnectionException _) {
      // The proxy is there; what its Node says is not known.
      return Optional.of(new ThisMachine(name, mode.get(), configuration.get(), Optional.empty()));
    }
  }

  private static byte[] read(String page) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(WHERE, LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      String request =
          "GET /" + page + " HTTP/1.1\r\nHost: 127.0.0.1:10249\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      HttpResponseReader answer =
          HttpResponseReader.read(new BufferedInputStream(socket.getInputStream()), "GET");
      if (answer.code() != 200) {
        throw new IOException("HTTP " + answer.code());
      }
      return answer.body().readAllBytes();
    }
  }
}
