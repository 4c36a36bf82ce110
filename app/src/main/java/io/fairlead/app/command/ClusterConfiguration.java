package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.time.Pacer;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the configuration the cluster has for its proxies: the ConfigMap `kube-system/kube-proxy`,
/// whose key `config.conf` holds what would else be a file. Editing it and restarting the proxy
/// changes the mode, as with kube-proxy.
final class ClusterConfiguration {
  private static final Logger log = LoggerFactory.getLogger(ClusterConfiguration.class);
  private static final ResourceType CONFIG_MAPS =
      new ResourceType("", "v1", "configmaps", "ConfigMap", true);
  private static final ObjectKey NAME = new ObjectKey("kube-system", "kube-proxy");
  private static final String FILE = "config.conf";
  private static final int TRIES = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private ClusterConfiguration() {}

  /// Its text; empty when the cluster has none, does not show it, or cannot be reached for half a
  /// minute.
  static Optional<String> find(Client client, Pacer pacer) throws InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      try {
        return client
            .find(CONFIG_MAPS, NAME)
            .map(map -> Json.textOr(map, "", "data", FILE))
            .filter(text -> !text.isBlank());
      } catch (ApiException e) {
        log.atInfo()
            .addKeyValue("configMap", NAME)
            .addKeyValue("why", e.getMessage())
            .log("the cluster's configuration cannot be read, going on without it");
        return Optional.empty();
      } catch (ConnectionException e) {
        log.atWarn().addKeyValue("why", e.getMessage()).log("the API server cannot be reached yet");
        pacer.pause(PAUSE);
      }
    }
    return Optional.empty();
  }
}
