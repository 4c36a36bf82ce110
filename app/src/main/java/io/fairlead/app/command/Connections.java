package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Problem;
import io.fairlead.client.Connection;
import io.fairlead.client.kubeconfig.InCluster;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.kubeconfig.KubeconfigException;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the API server a command talks to: `--kubeconfig`, then `KUBECONFIG`, then the service
/// account of a pod, then the user's own kubeconfig; `--master` changes only the address.
final class Connections {
  private Connections() {}

  static Connection of(Arguments arguments, Context context, ProxyConfiguration configuration) {
    String file = configuration.text("clientConnection", "kubeconfig");
    return find(arguments, context, file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)));
  }

  static Connection find(Arguments arguments, Context context, Optional<Path> file) {
    try {
      Connection connection = load(context, file);
      return arguments
          .find("master")
          .map(
              address ->
                  new Connection(
                      URI.create(address),
                      connection.trust(),
                      connection.tlsServerName(),
                      connection.identity(),
                      connection.namespace()))
          .orElse(connection);
    } catch (KubeconfigException | IllegalArgumentException e) {
      throw new Problem(Code.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  private static Connection load(Context context, Optional<Path> file) {
    if (file.isEmpty() && !context.environment().containsKey("KUBECONFIG")) {
      Optional<Connection> pod = InCluster.detect(context.environment(), InCluster.DIRECTORY);
      if (pod.isPresent()) {
        return pod.get();
      }
    }
    Path home = Path.of(context.environment().getOrDefault("HOME", "/root"));
    return Kubeconfig.load(file, context.environment(), home).connection();
  }
}
