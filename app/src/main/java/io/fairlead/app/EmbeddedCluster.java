package io.fairlead.app;

import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.store.embedded.StoreFiles;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A real API server with real controllers inside a test: no process, no root, nothing of the
/// machine is changed but one directory.
///
/// It listens on a free port of loopback and runs no node, so pods are made and stay pending.
///
/// Its public methods use types of the JDK only: the module `junit` calls them across class
/// loaders.
public final class EmbeddedCluster implements AutoCloseable {
  private static final String BACKUP = "store.backup";
  private static final String PKI = "pki";

  private final Path directory;
  private final Fairlead fairlead;
  private final Path kubeconfig;
  private final EmbeddedObjects objects;

  private EmbeddedCluster(
      Path directory, Fairlead fairlead, Path kubeconfig, EmbeddedObjects objects) {
    this.directory = directory;
    this.fairlead = fairlead;
    this.kubeconfig = kubeconfig;
    this.objects = objects;
  }

  /// Starts it and returns when the API is ready.
  ///
  /// @param directory keeps everything; what an earlier one left there is there again
  public static EmbeddedCluster start(Path directory) {
    ApiServerConfig server =
        ApiServerConfig.defaults(directory.resolve(PKI)).change().securePort(0).build();
    Options options = new Options(directory, server, Optional.empty(), true);
    Fairlead fairlead = Fairlead.start(options, new StandardComponentFactory(), Progress.SILENT);
    try {
      Path kubeconfig = directory.resolve("kubeconfig");
      UserKubeconfigContext.write(kubeconfig, entry(fairlead, options.server().pki()), Map.of());
      EmbeddedObjects objects =
          new EmbeddedObjects(
              new LocalApi(options, fairlead.port()).client("admin", "fairlead-junit"),
              Ticker.system(),
              Pacer.system());
      return new EmbeddedCluster(directory, fairlead, kubeconfig, objects);
    } catch (IOException e) {
      fairlead.close();
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      fairlead.close();
      throw new IllegalStateException(e);
    } catch (RuntimeException | Error e) {
      fairlead.close();
      throw e;
    }
  }

  /// Starts one with what another had when it wrote a template: sooner, because keys and the
  /// objects every cluster has are there.
  ///
  /// @param template what [#writeTemplate] wrote
  /// @param directory keeps everything; has no cluster yet
  public static EmbeddedCluster start(Path template, Path directory) {
    DataDirectory data = new DataDirectory(directory);
    data.prepare();
    try {
      copy(template.resolve(PKI), directory.resolve(PKI));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long _ = StoreFiles.restore(template.resolve(BACKUP), data.store());
    return start(directory);
  }

  /// Writes what the cluster has now into a directory that is empty or new. The cluster goes on.
  /// With the keys of this cluster in it, so keep it as safe as them.
  public void writeTemplate(Path template) {
    try {
      copy(directory.resolve(PKI), template.resolve(PKI));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path _ = StoreFiles.backup(new DataDirectory(directory).store(), template.resolve(BACKUP));
  }

  /// Copies keys into a directory that is made for them, closed to other users.
  private static void copy(Path from, Path to) throws IOException {
    Path _ =
        Files.createDirectories(
            to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
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

  /// Makes a namespace and waits until pods can be made in it.
  public void createNamespace(String name) {
    objects.createNamespace(name);
  }

  /// Deletes a namespace with all in it, in the background.
  public void deleteNamespace(String name) {
    objects.deleteNamespace(name);
  }

  /// Applies all objects of a manifest (YAML or JSON), as `kubectl apply --server-side` does.
  ///
  /// @param namespace of objects that name none
  /// @return what was applied, such as `Service/web`
  /// @throws IllegalArgumentException when the API refuses one, with its words
  public List<String> apply(String manifest, String namespace) {
    return objects.apply(manifest, namespace);
  }

  /// Waits until something holds for an object.
  ///
  /// @param object kind or resource and name: `deployment/web`, `widgets.example.com/x`
  /// @param condition `exists`, `gone`, or a type of its conditions, `Available` or `Ready=False`
  /// @return whether it came to hold in time
  public boolean await(String object, String namespace, String condition, Duration limit) {
    return objects.await(object, namespace, condition, limit);
  }

  /// The objects of a namespace with their state and its last events, for people.
  public String report(String namespace) {
    return objects.report(namespace);
  }

  /// Stops everything; the directory stays. Idempotent.
  @Override
  public void close() {
    objects.close();
    fairlead.close();
  }
}
