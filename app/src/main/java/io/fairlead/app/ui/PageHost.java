package io.fairlead.app.ui;

import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.insight.gather.ClusterSources;
import io.fairlead.insight.gather.HandshakeProbe;
import io.fairlead.insight.gather.NameProbe;
import io.fairlead.insight.gather.Sources;
import io.fairlead.ui.UiHost;
import io.fairlead.ui.UiUser;
import io.fairlead.work.Ticker;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What the page asks, asked of an API server as the session's user: by impersonation where this
/// process is the administrator's, else as the kubeconfig says.
public final class PageHost implements UiHost, AutoCloseable {
  private static final int MOST_USERS = 64;
  private static final int CONNECT_MILLIS = 1000;
  private static final int DNS_MILLIS = 500;

  private final ClientConfig server;
  private final boolean impersonates;
  private final Client watching;
  private final PageCommands commands;
  private final Path data;
  // The user who was away for longest goes first. Guarded by this.
  private final Map<UiUser, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

  /// @param impersonates whether the server lets us act as others
  /// @param watching follows the cluster for all users; closed with this
  /// @param data the data directory of this process
  public PageHost(
      ClientConfig server,
      boolean impersonates,
      Client watching,
      PageCommands commands,
      Path data) {
    this.server = server;
    this.impersonates = impersonates;
    this.watching = watching;
    this.commands = commands;
    this.data = data;
  }

  private ClientConfig config(UiUser user) {
    if (!impersonates) {
      return server;
    }
    return new ClientConfig(
        server.server(),
        server.trust(),
        server.tlsServerName(),
        new ClientIdentity.ActingAs(
            server.identity(), user.name(), user.uid(), user.groups(), user.extra()),
        server.namespace());
  }

  @Override
  public Client watching() {
    return watching;
  }

  @Override
  public synchronized Client as(UiUser user) {
    Client client = clients.get(user);
    if (client == null) {
      if (clients.size() >= MOST_USERS) {
        Map.Entry<UiUser, Client> eldest = clients.entrySet().iterator().next();
        clients.remove(eldest.getKey());
        eldest.getValue().close();
      }
      client = new Client(new HttpTransport(config(user), "fairlead-ui"));
      clients.put(user, client);
    }
    return client;
  }

  @Override
  public Sources sources(UiUser user) {
    return new ClusterSources(
        as(user),
        InstantSource.system(),
        new NameProbe(new SecureRandom(), DNS_MILLIS),
        new HandshakeProbe(Ticker.system(), CONNECT_MILLIS),
        Optional.empty());
  }

  @Override
  public CommandResult run(Seat seat, List<String> words) {
    return commands.run(config(seat.user()), data, seat, words);
  }

  @Override
  public Optional<ObjectNode> top(UiUser user, String namespace, String service) {
    return commands.top(as(user), "ui", new PageCommands.Scope(namespace, service));
  }

  @Override
  public String version() {
    return FairleadVersion.current();
  }

  @Override
  public synchronized void close() {
    clients.values().forEach(Client::close);
    clients.clear();
    watching.close();
  }
}
