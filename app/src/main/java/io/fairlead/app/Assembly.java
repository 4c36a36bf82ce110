package io.fairlead.app;

import io.fairlead.server.component.Page;
import io.fairlead.store.Store;

/// Makes the parts. The standard one makes the real ones; tests make some that fail.
public interface Assembly {
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

  /// Starts the DNS of the cluster against a running server and returns when it answers.
  default AutoCloseable dns(Options options, Server server) throws Exception {
    throw new UnsupportedOperationException("these parts have no DNS");
  }

  /// Starts the agent of this machine's node against a running server.
  default AutoCloseable agent(Options options, Server server) throws Exception {
    throw new UnsupportedOperationException("these parts have no agent");
  }

  /// A started service proxy. Closing it leaves its rules.
  interface Proxy extends AutoCloseable {
    /// How it carries traffic.
    String mode();

    /// Everything it knows, for people.
    String dump();

    @Override
    void close();
  }

  /// A started API server.
  interface Server extends AutoCloseable {
    /// The port it listens on.
    int port();

    /// Serves a page of another part on the same port.
    void mount(String path, Page page);

    /// The agent of that node is in this process, and its server listens there.
    default void serveNode(String node, String address, int port) {}

    /// Opens the door by which pods of this machine reach it, where they need one.
    default void openPodDoor() throws Exception {}

    /// Reads its files again, as far as it can while it runs.
    default void reload() {}

    @Override
    void close();
  }
}
