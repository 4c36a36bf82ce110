package io.fairlead.app;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.app.ui.ServedPage;
import io.fairlead.client.Client;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.component.BrowserUsers;
import io.fairlead.server.component.ComponentPage;
import io.fairlead.server.component.UserPage;
import io.fairlead.store.Store;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;

/// Makes the parts. The standard one makes the real ones; tests make some that fail.
public interface ComponentFactory {
  /// Opens what the state is kept in.
  Store store(Options options);

  /// Starts the API server on it and returns when it is ready.
  Server server(Options options, Store store) throws Exception;

  /// Starts the controllers against a running server.
  AutoCloseable controllers(Options options, Server server) throws Exception;

  /// Starts the service proxy of this machine and returns when its first rules are in the kernel.
  default Proxy proxy(Options options, Server server) throws Exception {
    throw new UnsupportedOperationException("these parts have no proxy");
  }

  /// Has the load balancer addresses that only this machine knows delivered here, and says which
  /// they are.
  default String loadBalancer(Options options) {
    throw new UnsupportedOperationException("these parts have no load balancer");
  }

  /// Starts the DNS of the cluster against a running server and returns when it answers.
  default Component dns(Options options, Server server) throws Exception {
    throw new UnsupportedOperationException("these parts have no DNS");
  }

  /// Starts the enforcement of NetworkPolicies on this machine and returns when the first rules are
  /// in the kernel.
  default Policy policy(Options options, Server server) throws Exception {
    throw new UnsupportedOperationException("these parts have no policy");
  }

  /// Starts the agent of this machine's node against a running server.
  default Component agent(Options options, Server server) throws Exception {
    throw new UnsupportedOperationException("these parts have no agent");
  }

  /// Begins to show the started components of a node in the API, and does not wait for it.
  default AutoCloseable publish(Options options, Server server, NodeParts parts) throws Exception {
    return () -> {};
  }

  /// Starts the web page against a running server.
  default AutoCloseable ui(Options options, Server server) throws Exception {
    return () -> {};
  }

  /// What of a node has been started.
  record NodeParts(Optional<Proxy> proxy, Optional<Component> dns, Optional<Component> agent) {}

  /// A started component.
  @FunctionalInterface
  interface Component extends AutoCloseable {
    /// Whether it says that it works.
    default boolean ready() {
      return true;
    }

    @Override
    void close();
  }

  /// A started service proxy. Closing it leaves its rules.
  interface Proxy extends AutoCloseable {
    /// How it carries traffic at the start, and why not as asked for.
    String mode();

    /// Everything it knows, for people.
    String dump();

    /// Whether its rules are in the kernel.
    default boolean ready() {
      return true;
    }

    @Override
    void close();
  }

  /// Started enforcement of NetworkPolicies. Closing it leaves its rules.
  interface Policy extends AutoCloseable {
    /// What it protects, or why it does not.
    String summary();

    /// Whether the kernel takes the rules.
    boolean enforces();

    /// What it dropped, as the node API has it; empty when it does not enforce.
    default Optional<ArrayNode> drops() {
      return Optional.empty();
    }

    @Override
    void close();
  }

  /// A started API server.
  interface Server extends ServedPage.ApiPort, AutoCloseable {
    /// The port it listens on.
    int port();

    /// Serves a page of another part on the same port.
    void mount(String path, ComponentPage page);

    /// Serves a path of another part that depends on who asks.
    @Override
    default void mount(String path, UserPage page) {}

    @Override
    default void mountForBrowsers(String path, Function<BrowserUsers, RequestHandler> pages) {}

    /// Serves what another part recorded beside what the server did.
    default void record(Supplier<Optional<ChangeRing>> recorder) {}

    /// Keeps what another part recorded over a restart.
    ///
    /// @param name of the recorder
    default void keep(String name, Supplier<Optional<ChangeRing>> recorder) {}

    /// The agent of that node is in this process, and its server listens there.
    default void serveNode(String node, String address, int port) {}

    /// Opens the listener by which pods of this machine reach it, where they need one.
    default void openPodApi() throws Exception {}

    /// That client with the watches that all components of this process share.
    default Client sharing(Client client) {
      return client;
    }

    /// Reads its files again, as far as it can while it runs.
    default void reload() {}

    @Override
    void close();
  }
}
