package io.fairlead.app;

import io.fairlead.agent.Agent;
import io.fairlead.agent.AgentOptions;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.controllers.ControllerPages;
import io.fairlead.app.dns.ClusterDns;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.node.NodeDoor;
import io.fairlead.app.proxy.NodeProxy;
import io.fairlead.client.Client;
import io.fairlead.client.time.Pacer;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.runtime.ControllerList;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.server.ApiServer;
import io.fairlead.server.pki.Pki;
import io.fairlead.store.Store;
import io.fairlead.store.embedded.EmbeddedStore;
import io.fairlead.store.etcd.EtcdOptions;
import io.fairlead.store.etcd.EtcdStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The real parts.
public final class StandardAssembly implements Assembly {
  private static final Duration RULES_PATIENCE = Duration.ofSeconds(30);

  /// The node's own server is for the API server of this process only.
  private static final String NEAR = "127.0.0.1";

  private static final List<String> LOOPBACK = List.of("localhost", NEAR);

  private final ControllerList list;

  /// With all controllers and the scheduler.
  public StandardAssembly() {
    this(Controllers.withScheduler());
  }

  /// @param list the controllers to run
  public StandardAssembly(ControllerList list) {
    this.list = list;
  }

  @Override
  public Store store(Options options) {
    return options
        .etcd()
        .<Store>map(
            etcd ->
                EtcdStore.open(
                    new EtcdOptions(
                        etcd.servers().stream().map(URI::create).toList(),
                        etcd.authority().orElse(null),
                        etcd.certificate().orElse(null),
                        etcd.key().orElse(null))))
        .orElseGet(() -> EmbeddedStore.open(options.dataDirectory().resolve("store")));
  }

  @Override
  public Server server(Options options, Store store) throws IOException {
    return new StandardServer(options, ApiServer.start(options.server(), store));
  }

  @Override
  public AutoCloseable controllers(Options options, Server server)
      throws IOException, GeneralSecurityException {
    Path pki = options.server().pki();
    Client client =
        LocalApi.of(options, server).client("kube-controller-manager", "fairlead-controllers");
    try {
      Controllers controllers =
          Controllers.start(
              client,
              Controllers.Options.single(Files.readString(pki.resolve("ca.crt")))
                  .only(list)
                  .with(options.nodes()));
      server.mount(ControllerPages.REASONS, ControllerPages.reasons(controllers));
      return () -> {
        controllers.close();
        client.close();
      };
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public Proxy proxy(Options options, Server server) throws Exception {
    ProxyConfiguration configuration = options.proxy().orElseThrow().get();
    Client client = LocalApi.of(options, server).client("kube-proxy", "fairlead-proxy");
    try {
      NodeProxy.prepareKernel(configuration);
      NodeProxy proxy = NodeProxy.open(configuration, client, InstantSource.system());
      try {
        proxy.start();
        if (!proxy.awaitRules(Pacer.system(), RULES_PATIENCE)) {
          throw new IllegalStateException(
              "no rules within " + RULES_PATIENCE.toSeconds() + " s: " + proxy.dump().strip());
        }
        proxy.takeOrders(new DataDirectory(options.dataDirectory()).proxySocket());
        return running(proxy, client);
      } catch (RuntimeException | InterruptedException e) {
        proxy.close();
        throw e;
      }
    } catch (DataPlaneException e) {
      client.close();
      throw new Problem(Code.FL201, e, configuration.text("mode"), String.valueOf(e.getMessage()));
    } catch (RuntimeException | InterruptedException e) {
      client.close();
      throw e;
    }
  }

  private static Proxy running(NodeProxy proxy, Client client) {
    return new Proxy() {
      @Override
      public String mode() {
        return proxy.mode();
      }

      @Override
      public String dump() {
        return proxy.dump();
      }

      @Override
      public void close() {
        proxy.close();
        client.close();
      }
    };
  }

  @Override
  public AutoCloseable dns(Options options, Server server) throws Exception {
    Options.Dns wanted = options.dns().orElseThrow();
    LocalApi api = LocalApi.of(options, server);
    // Its Corefile names the files of this identity.
    api.pki().component(ClusterDns.IDENTITY);
    try (Client admin = api.client("admin", "fairlead-up")) {
      return ClusterDns.start(
          new ClusterDns.Place(
              wanted.address(),
              wanted.range(),
              wanted.port(),
              options.server().clusterDomain(),
              api.address(),
              options.server().pki(),
              new DataDirectory(options.dataDirectory()).dns(),
              wanted.resolvConf()),
          admin,
          InstantSource.system(),
          Pacer.system());
    }
  }

  @Override
  public AutoCloseable agent(Options options, Server server) throws Exception {
    AgentOptions wanted = options.agent().orElseThrow();
    LocalApi api = LocalApi.of(options, server);
    Pki pki = api.pki();
    Client client = api.client(pki.node(wanted.nodeName()), "fairlead-agent");
    try {
      Agent agent =
          Agent.start(
              client,
              wanted,
              Optional.of(
                  NodeDoor.options(
                      client, pki.authority(), wanted.nodeName(), LOOPBACK, NEAR, 0, false)));
      server.serveNode(wanted.nodeName(), NEAR, agent.port());
      return () -> {
        agent.close();
        if (!agent.podsOutlive()) {
          // Workloads of this program end with it, so their network has no more use.
          Agent.removeAll(wanted.directory(), wanted.host());
        }
        client.close();
      };
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }
}
