package io.fairlead.app;

import io.fairlead.agent.Agent;
import io.fairlead.agent.AgentOptions;
import io.fairlead.app.controllers.ControllerPages;
import io.fairlead.app.node.NodeDoor;
import io.fairlead.client.Client;
import io.fairlead.client.Connection;
import io.fairlead.client.tls.Identity;
import io.fairlead.client.tls.Pem;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.runtime.ControllerList;
import io.fairlead.server.ApiServer;
import io.fairlead.server.component.Page;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.store.Store;
import io.fairlead.store.embedded.EmbeddedStore;
import io.fairlead.store.etcd.EtcdOptions;
import io.fairlead.store.etcd.EtcdStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The real parts.
public final class StandardAssembly implements Assembly {
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
    ApiServer server = ApiServer.start(options.server(), store);
    return new Server() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public void mount(String path, Page page) {
        server.mount(path, page);
      }

      @Override
      public void serveNode(String node, String address, int port) {
        server.serveNode(node, address, port);
      }

      @Override
      public void reload() {
        server.reload();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  @Override
  public AutoCloseable controllers(Options options, Server server)
      throws IOException, GeneralSecurityException {
    Path pki = options.server().pki();
    Connection connection =
        Connection.of(
            URI.create("https://127.0.0.1:" + server.port()),
            new Trust.Certificates(Pem.certificates(Files.readAllBytes(pki.resolve("ca.crt")))),
            new Identity.ClientCertificate(
                Pem.certificates(Files.readAllBytes(pki.resolve("kube-controller-manager.crt"))),
                Pem.privateKey(Files.readAllBytes(pki.resolve("kube-controller-manager.key")))));
    Client client = new Client(new HttpTransport(connection, "fairlead-controllers"));
    try {
      Controllers controllers =
          Controllers.start(
              client,
              Controllers.Options.single(Files.readString(pki.resolve("ca.crt"))).only(list));
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
  public AutoCloseable agent(Options options, Server server) throws Exception {
    AgentOptions wanted = options.agent().orElseThrow();
    Path pki = options.server().pki();
    io.fairlead.server.pki.Identity node =
        Pki.open(pki, PkiOptions.of(options.server(), InstantSource.system()))
            .node(wanted.nodeName());
    List<X509Certificate> authorities = Pem.certificates(Files.readAllBytes(pki.resolve("ca.crt")));
    Connection connection =
        Connection.of(
            URI.create("https://127.0.0.1:" + server.port()),
            new Trust.Certificates(authorities),
            new Identity.ClientCertificate(node.chain(), node.key()));
    Client client = new Client(new HttpTransport(connection, "fairlead-agent"));
    try {
      Agent agent =
          Agent.start(
              client,
              wanted,
              Optional.of(
                  NodeDoor.options(
                      client, authorities, wanted.nodeName(), LOOPBACK, NEAR, 0, false)));
      server.serveNode(wanted.nodeName(), NEAR, agent.port());
      return () -> {
        agent.close();
        // Workloads of this program end with it, so their network has no more use.
        Agent.removeAll(wanted.directory(), wanted.host());
        client.close();
      };
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }
}
