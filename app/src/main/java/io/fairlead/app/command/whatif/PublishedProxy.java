package io.fairlead.app.command.whatif;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.gather.Sources;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.ProxyMode;
import java.util.Optional;

/// How the proxies of a cluster are set up, as its ConfigMap `kube-system/kube-proxy` says: what
/// kube-proxies of most clusters read, and Fairlead's publish.
///
/// @param mode how they carry traffic; without a word that is iptables
record PublishedProxy(ProxyConfiguration configuration, ProxyMode mode) {
  private static final ObjectKey KEY = new ObjectKey("kube-system", "kube-proxy");

  /// Empty when there is none, when this user may not read it, or when it is not understood.
  static Optional<PublishedProxy> find(Sources sources) {
    return sources
        .find(ResourceType.CONFIG_MAPS, KEY)
        .value()
        .flatMap(found -> found)
        .map(map -> Json.textOr(map, "", "data", "config.conf"))
        .filter(text -> !text.isBlank())
        .flatMap(PublishedProxy::read);
  }

  private static Optional<PublishedProxy> read(String text) {
    try {
      ProxyConfiguration configuration = ProxyConfiguration.read(text);
      String mode = configuration.text("mode");
      return (mode.isEmpty() ? Optional.of(ProxyMode.IPTABLES) : ProxyMode.find(mode))
          .map(known -> new PublishedProxy(configuration, known));
    } catch (ConfigurationException | DecodeException _) {
      // Of a version that has other fields.
      return Optional.empty();
    }
  }
}
