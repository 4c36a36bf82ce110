package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.proxy.config.ConfigurationCheck;
import io.fairlead.proxy.config.ConfigurationException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Puts the proxy's configuration together: a file, or flags over the cluster's configuration, or
/// over the defaults. With a file other flags are ignored, as kube-proxy does, but for the node's
/// name, the mode and the kubeconfig.
final class ProxyOptions {
  private static final List<String> WITH_FILE =
      List.of("hostname-override", "proxy-mode", "kubeconfig");

  /// Ends where the mode cannot be used, instead of taking another.
  static final ProxyFlag STRICT_MODE =
      new ProxyFlag("strict-mode", List.of("ipvs", "fallback"), ProxyFlag.Kind.TEXT);

  private ProxyOptions() {}

  static ProxyConfiguration configuration(Arguments arguments) {
    Optional<Path> file = arguments.path("config");
    return with(
        file.map(ProxyOptions::read).orElseGet(ProxyConfiguration::defaults),
        arguments,
        file.isPresent());
  }

  /// The cluster's configuration, with all flags over it.
  static ProxyConfiguration ofCluster(String text, Arguments arguments) {
    return with(parse("ConfigMap kube-system/kube-proxy", text), arguments, false);
  }

  private static ProxyConfiguration with(
      ProxyConfiguration base, Arguments arguments, boolean fromFile) {
    ProxyConfiguration configuration = base;
    for (ProxyFlag flag : ProxyFlag.all()) {
      Optional<String> value = arguments.find(flag.name());
      if (value.isPresent() && (!fromFile || WITH_FILE.contains(flag.name()))) {
        configuration = set(configuration, flag, value.get());
      }
    }
    Optional<String> mode = arguments.find("mode");
    if (mode.isPresent()) {
      configuration = set(configuration, ProxyFlag.find("proxy-mode").orElseThrow(), mode.get());
    }
    if (arguments.on("strict-mode")) {
      configuration = set(configuration, STRICT_MODE, "fail");
    }
    List<String> problems = ConfigurationCheck.problems(configuration);
    if (!problems.isEmpty()) {
      throw new FairleadException(ErrorCode.FL309, String.join("; ", problems));
    }
    return configuration;
  }

  /// A file with every default filled in; one that cannot be used is an error.
  static ProxyConfiguration checked(Path file) {
    return checked(file.toString(), text(file));
  }

  /// @param where the file that the text is from
  static ProxyConfiguration checked(String where, String text) {
    ProxyConfiguration configuration = parse(where, text);
    List<String> problems = ConfigurationCheck.problems(configuration);
    if (!problems.isEmpty()) {
      throw new FairleadException(ErrorCode.FL309, where + ": " + String.join("; ", problems));
    }
    return configuration;
  }

  private static ProxyConfiguration read(Path file) {
    return parse(file.toString(), text(file));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "--config", file.toString());
    }
  }

  private static ProxyConfiguration parse(String where, String text) {
    try {
      return ProxyConfiguration.read(text);
    } catch (ConfigurationException | DecodeException e) {
      throw new FairleadException(ErrorCode.FL309, e, where + ": " + e.getMessage());
    }
  }

  private static ProxyConfiguration set(
      ProxyConfiguration configuration, ProxyFlag flag, String value) {
    try {
      return configuration.with(flag, value);
    } catch (ConfigurationException e) {
      throw new FairleadException(ErrorCode.FL309, e, String.valueOf(e.getMessage()));
    }
  }
}
