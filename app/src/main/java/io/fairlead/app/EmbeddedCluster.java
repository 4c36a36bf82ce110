package io.fairlead.app;

import io.fairlead.app.instance.ApiUrl;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.app.lab.LabInstance;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.store.embedded.StoreFiles;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A real API server with real controllers inside a test: no process, no root, nothing of the
/// machine is changed but one directory.
///
/// It listens on a free port of loopback and runs no node, so pods are made and stay pending. With
/// a node it is a process in a lab ([LabInstance]) that ends with this one: pods run there and
/// Services answer, and nothing of the machine's network is changed either.
///
/// Its public methods use types of the JDK only: the module `junit` calls them across class
/// loaders.
public final class EmbeddedCluster implements AutoCloseable {
  private static final String BACKUP = "store.backup";
  private static final String PKI = "pki";

  private final Path directory;
  private final AutoCloseable running;
  private final URI url;
  private final Path kubeconfig;
  private final EmbeddedObjects objects;
  private final Optional<LabInstance> lab;

  private EmbeddedCluster(
      Path directory,
      AutoCloseable running,
      URI url,
      EmbeddedObjects objects,
      Optional<LabInstance> lab) {
    this.directory = directory;
    this.running = running;
    this.url = url;
    this.kubeconfig = kubeconfig(directory);
    this.objects = objects;
    this.lab = lab;
  }

  private static Path kubeconfig(Path directory) {
    return directory.resolve("kubeconfig");
  }

  /// Starts it and returns when the API is ready.
  ///
  /// @param directory keeps everything; what an earlier one left there is there again
  public static EmbeddedCluster start(Path directory) {
    Options options = options(directory);
    Fairlead fairlead = Fairlead.start(options, new StandardComponentFactory(), Progress.SILENT);
    try {
      URI url = URI.create(fairlead.url());
      UserKubeconfigContext.write(
          kubeconfig(directory),
          KubeconfigEntry.ofAdministrator(UserKubeconfigContext.NAME, url, options.server().pki()),
          Map.of());
      return new EmbeddedCluster(
          directory, fairlead, url, objects(options, fairlead.port()), Optional.empty());
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

  private static Options options(Path directory) {
    ApiServerConfig server =
        ApiServerConfig.defaults(directory.resolve(PKI)).change().securePort(0).build();
    return new Options(directory, server, Optional.empty(), true);
  }

  private static EmbeddedObjects objects(Options options, int port)
      throws IOException, GeneralSecurityException {
    return new EmbeddedObjects(
        new LocalApi(options, port).client("admin", "fairlead-junit"),
        Ticker.system(),
        Pacer.system());
  }

  /// Why no node can run here; empty when one can.
  public static Optional<String> nodeObstacle() {
    return LabInstance.obstacle();
  }

  /// Starts one with a node and returns when pods and Services are served too.
  ///
  /// @param directory keeps everything; what an earlier one left there is there again
  public static EmbeddedCluster startWithNode(Path directory) {
    try {
      LabInstance lab = LabInstance.start(directory, kubeconfig(directory), classPath());
      try {
        return new EmbeddedCluster(
            directory,
            lab,
            URI.create(ApiUrl.of("127.0.0.1", lab.port())),
            objects(options(directory), lab.port()),
            Optional.of(lab));
      } catch (IOException | GeneralSecurityException | RuntimeException | Error e) {
        lab.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts one with a node from what another wrote as a template.
  ///
  /// @param template what [#writeTemplate] of a cluster without a node wrote
  /// @param directory keeps everything; has no cluster yet
  public static EmbeddedCluster startWithNode(Path template, Path directory) {
    fill(directory, template);
    return startWithNode(directory);
  }

  /// Of this program, wherever it was loaded from.
  private static String classPath() {
    return EmbeddedCluster.class.getClassLoader() instanceof URLClassLoader jars
        ? Arrays.stream(jars.getURLs())
            .map(jar -> Path.of(URI.create(jar.toString())).toString())
            .collect(Collectors.joining(":"))
        : System.getProperty("java.class.path");
  }

  /// Starts one with what another had when it wrote a template: sooner, because keys and the
  /// objects every cluster has are there.
  ///
  /// @param template what [#writeTemplate] wrote
  /// @param directory keeps everything; has no cluster yet
  public static EmbeddedCluster start(Path template, Path directory) {
    fill(directory, template);
    return start(directory);
  }

  private static void fill(Path directory, Path template) {
    DataDirectory data = new DataDirectory(directory);
    data.prepare();
    try {
      copy(template.resolve(PKI), directory.resolve(PKI));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long _ = StoreFiles.restore(template.resolve(BACKUP), data.store());
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

  /// Where the API is.
  public URI url() {
    return url;
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

  /// An HTTP proxy on loopback that opens connections on the node and finds names as a pod of the
  /// namespace does.
  ///
  /// @throws IllegalStateException when there is no node
  public InetSocketAddress proxy(String namespace) {
    return lab.orElseThrow(() -> new IllegalStateException("this cluster has no node"))
        .proxy(namespace);
  }

  /// Stops everything; the directory stays. Idempotent.
  @Override
  public void close() {
    objects.close();
    try {
      running.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
