package io.fairlead.app.systempod;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.proxy.config.ConfigurationCheck;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// The configuration the cluster has for its proxies: the ConfigMap `kube-system/kube-proxy`, whose
/// key `config.conf` holds what would else be a file. Editing it and restarting the proxy changes
/// the mode, as with kube-proxy.
public final class KubeProxyConfigMap {
  /// How messages call it.
  public static final String TITLE = "ConfigMap kube-system/kube-proxy";

  /// The key of its text.
  public static final String FILE = "config.conf";

  private static final Logger log = LoggerFactory.getLogger(KubeProxyConfigMap.class);
  private static final ObjectKey NAME = new ObjectKey("kube-system", "kube-proxy");
  private static final int TRIES = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private KubeProxyConfigMap() {}

  /// Its text; empty when the cluster has none, does not show it, or cannot be reached for half a
  /// minute.
  public static Optional<String> find(Client client, Pacer pacer) throws InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      try {
        return read(client);
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

  /// Its text now; empty when there is none.
  static Optional<String> read(Client client) {
    return client
        .find(ResourceType.CONFIG_MAPS, NAME)
        .map(map -> Json.textOr(map, "", "data", FILE))
        .filter(text -> !text.isBlank());
  }

  /// Understands its text.
  ///
  /// @throws ConfigurationException with every unknown field and every value that cannot be used
  static ProxyConfiguration parse(String text) {
    ProxyConfiguration configuration;
    try {
      configuration = ProxyConfiguration.read(text);
    } catch (DecodeException e) {
      throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
    }
    List<String> problems = ConfigurationCheck.problems(configuration);
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return configuration;
  }

  /// Writes what a proxy runs with. A text that says the same stays as it is written, and so does
  /// one that cannot be understood: its author is to correct it.
  static void publish(Client client, ProxyConfiguration running) {
    ObjectNode map = Json.object();
    map.putObject("data").put(FILE, Yaml.write(running.tree()));
    Optional<String> present = read(client);
    if (present.isPresent()) {
      try {
        if (parse(present.get()).tree().equals(running.tree())) {
          return;
        }
      } catch (ConfigurationException _) {
        return;
      }
      client.patch(ResourceType.CONFIG_MAPS, NAME, PatchType.MERGE, map);
      return;
    }
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = map.putObject("metadata");
    metadata.put("name", NAME.name()).put("namespace", NAME.namespace());
    metadata.putObject("labels").put("app", NAME.name());
    try {
      client.create(ResourceType.CONFIG_MAPS, NAME.namespace(), map);
    } catch (ApiException e) {
      if (!ApiErrors.isAlreadyExists(e)) {
        throw e;
      }
      // There without a text.
      client.patch(ResourceType.CONFIG_MAPS, NAME, PatchType.MERGE, map);
    }
  }
}
