package io.fairlead.app.systempod;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the proxy of `up` starts with: the flags, over what the cluster keeps in its ConfigMap.
///
/// @param note what is worth knowing about where the mode comes from; empty when a user expects it
public record ProxyStartConfiguration(ProxyConfiguration configuration, String note) {
  private static final Logger log = LoggerFactory.getLogger(ProxyStartConfiguration.class);

  /// What the flags say.
  ///
  /// @param alone without a ConfigMap
  /// @param over the same over a configuration that the cluster keeps
  /// @param namesMode whether a flag names the mode
  public record ProxyFlags(
      Supplier<ProxyConfiguration> alone,
      UnaryOperator<ProxyConfiguration> over,
      boolean namesMode) {}

  /// Reads the ConfigMap once. One that is missing, may not be read or cannot be understood keeps
  /// no proxy from starting.
  public static ProxyStartConfiguration of(ProxyFlags flags, Client client) {
    Optional<String> text;
    try {
      text = KubeProxyConfigMap.read(client);
    } catch (ApiException e) {
      return ignored(flags, String.valueOf(e.getMessage()));
    }
    return text.map(kept -> of(flags, kept))
        .orElseGet(() -> new ProxyStartConfiguration(flags.alone().get(), ""));
  }

  static ProxyStartConfiguration of(ProxyFlags flags, String text) {
    ProxyConfiguration kept;
    try {
      kept = KubeProxyConfigMap.parse(text);
    } catch (ConfigurationException e) {
      return ignored(flags, String.valueOf(e.getMessage()));
    }
    ProxyConfiguration configuration = flags.over().apply(kept);
    String mode = configuration.text("mode");
    String before = kept.text("mode");
    String note = "";
    if (!flags.namesMode() && !mode.isEmpty()) {
      note = "as " + KubeProxyConfigMap.TITLE + " says";
    } else if (!mode.equals(before)) {
      note =
          "as --proxy-mode says; "
              + KubeProxyConfigMap.TITLE
              + " said "
              + (before.isEmpty() ? "auto" : before);
    }
    return new ProxyStartConfiguration(configuration, note);
  }

  private static ProxyStartConfiguration ignored(ProxyFlags flags, String why) {
    log.atWarn().addKeyValue("why", why).log(KubeProxyConfigMap.TITLE + " is ignored");
    return new ProxyStartConfiguration(
        flags.alone().get(), KubeProxyConfigMap.TITLE + " is ignored: " + why);
  }
}
