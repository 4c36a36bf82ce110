package io.fairlead.app;

import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import io.fairlead.server.ApiServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A real API server with real controllers inside a test: no process, no root, nothing of the
/// machine is changed but one directory.
///
/// It listens on a free port of loopback and runs no node, so pods are made and stay pending.
public final class EmbeddedCluster implements AutoCloseable {
  private final Fairlead fairlead;
  private final Path kubeconfig;

  private EmbeddedCluster(Fairlead fairlead, Path kubeconfig) {
    this.fairlead = fairlead;
    this.kubeconfig = kubeconfig;
  }

  /// Starts it and returns when the API is ready.
  ///
  /// @param directory keeps everything; what an earlier one left there is there again
  public static EmbeddedCluster start(Path directory) {
    ApiServerConfig server =
        ApiServerConfig.defaults(directory.resolve("pki")).change().securePort(0).build();
    Options options = new Options(directory, server, Optional.empty(), true);
    Fairlead fairlead = Fairlead.start(options, new StandardComponentFactory(), Progress.SILENT);
    try {
      Path kubeconfig = directory.resolve("kubeconfig");
      UserKubeconfigContext.write(kubeconfig, entry(fairlead, options.server().pki()), Map.of());
      return new EmbeddedCluster(fairlead, kubeconfig);
    } catch (IOException e) {
      fairlead.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      fairlead.close();
      throw e;
    }
  }

  private static KubeconfigEntry entry(Fairlead fairlead, Path pki) throws IOException {
    return KubeconfigEntry.ofAdministrator(
        UserKubeconfigContext.NAME, URI.create(fairlead.url()), pki);
  }

  /// Where the API is.
  public URI url() {
    return URI.create(fairlead.url());
  }

  /// A kubeconfig of an administrator, for any client.
  public Path kubeconfig() {
    return kubeconfig;
  }

  /// Stops everything; the directory stays. Idempotent.
  @Override
  public void close() {
    fairlead.close();
  }
}
