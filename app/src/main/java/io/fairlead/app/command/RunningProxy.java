package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The proxy that runs on this machine, ours or a kube-proxy: both tell their configuration on the
/// port for metrics.
final class RunningProxy {
  private static final String WHERE = "http://127.0.0.1:10249/configz";
  private static final String PART = "kubeproxy.config.k8s.io";
  private static final int LIMIT_MILLIS = 500;

  private RunningProxy() {}

  /// What it works with; empty when none answers there, or not in words we know.
  static Optional<ProxyConfiguration> configuration() {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(WHERE).toURL().openConnection();
      connection.setConnectTimeout(LIMIT_MILLIS);
      connection.setReadTimeout(LIMIT_MILLIS);
      try (InputStream body = connection.getInputStream()) {
        JsonNode tree = Json.parse(body.readAllBytes()).path(PART);
        return tree.isObject()
            ? Optional.of(ProxyConfiguration.read(Yaml.write(tree)))
            : Optional.empty();
      }
    } catch (IOException | ConfigurationException | DecodeException _) {
      return Optional.empty();
    }
  }
}
