package io.fairlead.e2e;

import io.fairlead.agent.AgentOptions;
import io.fairlead.app.ComponentFactory;
import io.fairlead.app.Fairlead;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.StandardComponentFactory;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import io.fairlead.controller.Controllers;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A whole server in this process, on a free port, with a token of group system:masters and the
/// service range of the recordings.
public final class TestServer implements AutoCloseable {
  private static final String TOKEN = "test-token";

  /// Nodes of these tests are objects without a heart, and pods are put on them by hand.
  private static final List<String> NODES_ARE_PLAYED =
      List.of(
          "*",
          "-node-lifecycle-controller",
          "-taint-eviction-controller",
          "-pod-garbage-collector-controller");

  /// Owners of pods, budgets, quotas and volumes are only stored, as by an API server alone.
  private static final List<String> WORKLOADS_ARE_PLAYED =
      Stream.concat(
              NODES_ARE_PLAYED.stream(),
              Stream.of(
                      "deployment",
                      "replicaset",
                      "replicationcontroller",
                      "statefulset",
                      "daemonset",
                      "job",
                      "cronjob",
                      "disruption",
                      "resourcequota",
                      "persistentvolume-binder")
                  .map(kind -> "-" + kind + "-controller"))
          .toList();

  private static final List<String> RECORDED_RANGE = List.of("10.0.0.0/16");

  private final Fairlead fairlead;
  private final Store store;

  private TestServer(Fairlead fairlead, Store store) {
    this.fairlead = fairlead;
    this.store = store;
  }

  /// @param directory holds its data and secrets
  /// @param emulatedMinor the Kubernetes version it shows
  public static TestServer start(Path directory, int emulatedMinor) {
    return start(directory, emulatedMinor, RECORDED_RANGE, running(WORKLOADS_ARE_PLAYED), true);
  }

  /// With the controllers that make pods; who puts them on nodes is the test.
  public static TestServer withWorkloads(Path directory, int emulatedMinor) {
    return start(directory, emulatedMinor, RECORDED_RANGE, running(NODES_ARE_PLAYED), true);
  }

  /// With everything `up` runs: the scheduler too, and who watches over nodes.
  public static TestServer complete(Path directory, int emulatedMinor) {
    return start(directory, emulatedMinor, RECORDED_RANGE, new StandardComponentFactory(), true);
  }

  /// The API server alone: controllers run elsewhere. It serves two families.
  public static TestServer withoutControllers(Path directory, int emulatedMinor) {
    List<String> ranges = List.of(RECORDED_RANGE.getFirst(), "fd00:10:96::/112");
    return start(directory, emulatedMinor, ranges, new StandardComponentFactory(), false);
  }

  /// The API server alone on an etcd that another may have used, with that one's token key and the
  /// usual service range.
  public static TestServer onEtcd(Path directory, String etcd, Path tokenKey) {
    try {
      Path tokens =
          Files.writeString(
              directory.resolve("tokens.csv"), TOKEN + ",admin,admin-uid,system:masters\n");
      ApiServerConfig config =
          ApiServerConfig.defaults(directory.resolve("pki"))
              .change()
              .securePort(0)
              .tokenAuthFile(Optional.of(tokens))
              .serviceAccountIssuer("https://kubernetes.default.svc")
              .keyFiles(
                  new ApiServerConfig.KeyFiles(
                      Optional.of(tokenKey), List.of(), Optional.empty(), Optional.empty()))
              .build();
      Remembering assembly = new Remembering(new StandardComponentFactory());
      Options options =
          new Options(
              directory,
              config,
              Optional.of(
                  new Options.Etcd(
                      List.of(etcd), Optional.empty(), Optional.empty(), Optional.empty())),
              false);
      Fairlead fairlead = Fairlead.start(options, assembly, Progress.SILENT);
      return new TestServer(fairlead, Objects.requireNonNull(assembly.store));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ComponentFactory running(List<String> controllers) {
    return new StandardComponentFactory(Controllers.list(controllers));
  }

  /// With a node; its network must be a namespace of the test's own.
  public static TestServer withNode(Path directory, AgentOptions node) {
    return start(
        directory, 36, RECORDED_RANGE, new StandardComponentFactory(), true, Optional.of(node));
  }

  private static TestServer start(
      Path directory,
      int emulatedMinor,
      List<String> ranges,
      ComponentFactory real,
      boolean controllers) {
    return start(directory, emulatedMinor, ranges, real, controllers, Optional.empty());
  }

  private static TestServer start(
      Path directory,
      int emulatedMinor,
      List<String> ranges,
      ComponentFactory real,
      boolean controllers,
      Optional<AgentOptions> node) {
    try {
      Path tokens =
          Files.writeString(
              directory.resolve("tokens.csv"), TOKEN + ",admin,admin-uid,system:masters\n");
      ApiServerConfig defaults = ApiServerConfig.defaults(directory.resolve("pki"));
      ApiServerConfig config =
          defaults
              .change()
              .securePort(0)
              .services(
                  new ApiServerConfig.ServiceNetworkOptions(
                      ranges, defaults.services().nodePortRange(), true, true))
              .tokenAuthFile(Optional.of(tokens))
              .emulatedMinor(emulatedMinor)
              .build();
      Remembering assembly = new Remembering(real);
      Options options = new Options(directory, config, Optional.empty(), controllers, node);
      Fairlead fairlead = Fairlead.start(options, assembly, Progress.SILENT);
      return new TestServer(fairlead, Objects.requireNonNull(assembly.store));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI url() {
    return URI.create(fairlead.url());
  }

  public String token() {
    return TOKEN;
  }

  /// Forgets the store's history up to now.
  public void compact() {
    store.compact(store.revision());
  }

  public ApiCaller caller() {
    return new ApiCaller(http(), url(), TOKEN);
  }

  /// A kubeconfig for that server and token.
  public void writeKubeconfig(Path file) {
    String text =
        """
        apiVersion: v1
        kind: Config
        current-context: test
        clusters:
        - name: test
          cluster: {server: "%s", insecure-skip-tls-verify: true}
        users:
        - name: test
          user: {token: "%s"}
        contexts:
        - name: test
          context: {cluster: test, user: test}
        """
            .formatted(url(), TOKEN);
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A client that trusts any certificate: what is tested here is the API, not TLS.
  public static HttpClient http() {
    try {
      SSLContext context = TlsContexts.of(new Trust.Anyone(), new ClientIdentity.Anonymous());
      return HttpClient.newBuilder().sslContext(context).build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    fairlead.close();
  }

  /// The real parts, keeping hold of the store so that a test can compact it.
  private static final class Remembering implements ComponentFactory {
    private final ComponentFactory real;
    private @Nullable Store store;

    Remembering(ComponentFactory real) {
      this.real = real;
    }

    @Override
    public Store store(Options options) {
      store = real.store(options);
      return store;
    }

    @Override
    public Server server(Options options, Store opened) throws Exception {
      return real.server(options, opened);
    }

    @Override
    public AutoCloseable controllers(Options options, Server server) throws Exception {
      return real.controllers(options, server);
    }

    @Override
    public Component agent(Options options, Server server) throws Exception {
      return real.agent(options, server);
    }
  }
}
