package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.kubeconfig.InClusterConfig;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.kubeconfig.KubeconfigException;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the API server a command talks to: `--kubeconfig`, then `KUBECONFIG`, then the service
/// account of a pod, then the user's own kubeconfig; `--master` changes only the address.
public final class ClientConfigLoader {
  private ClientConfigLoader() {}

  static ClientConfig of(
      Arguments arguments, CommandContext context, ProxyConfiguration configuration) {
    String file = configuration.text("clientConnection", "kubeconfig");
    return find(arguments, context, file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)));
  }

  public static ClientConfig find(
      Arguments arguments, CommandContext context, Optional<Path> file) {
    if (context.connection().isPresent()) {
      return context.connection().get();
    }
    try {
      ClientConfig connection = load(context, file, arguments.find("context"));
      return arguments
          .find("master")
          .map(
              address ->
                  new ClientConfig(
                      URI.create(address),
                      connection.trust(),
                      connection.tlsServerName(),
                      connection.identity(),
                      connection.namespace()))
          .orElse(connection);
    } catch (KubeconfigException | IllegalArgumentException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  private static ClientConfig load(
      CommandContext context, Optional<Path> file, Optional<String> named) {
    if (file.isEmpty() && named.isEmpty() && !context.environment().containsKey("KUBECONFIG")) {
      Optional<ClientConfig> pod =
          InClusterConfig.detect(context.environment(), InClusterConfig.DIRECTORY);
      if (pod.isPresent()) {
        return pod.get();
      }
    }
    Path home = Path.of(context.environment().getOrDefault("HOME", "/root"));
    Kubeconfig kubeconfig = Kubeconfig.load(file, context.environment(), home);
    return named.map(kubeconfig::connection).orElseGet(kubeconfig::connection);
  }
}
