package io.fairlead.junit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The cluster as one test sees it: with the namespace of that test.
///
/// Safe to use from several threads as far as each waits for itself.
public final class TestCluster {
  /// How long [#await(String, String)] waits.
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RunningCluster running;
  private final String namespace;
  private final Class<?> test;

  TestCluster(RunningCluster running, String namespace, Class<?> test) {
    this.running = running;
    this.namespace = namespace;
    this.test = test;
  }

  /// Where the API is.
  public URI url() {
    return running.url();
  }

  /// A kubeconfig of an administrator, for any client or for kubectl.
  public Path kubeconfig() {
    return running.kubeconfig();
  }

  /// The namespace of this test; in methods for all tests it is `default`.
  public String namespace() {
    return namespace;
  }

  /// Applies all objects of a manifest (YAML or JSON) as `kubectl apply --server-side` does.
  /// Objects without a namespace go into that of the test. Custom resources may follow their
  /// definition.
  ///
  /// @return what was applied, such as `Service/web`
  /// @throws IllegalArgumentException when the API refuses one, with its words
  public List<String> apply(String manifest) {
    return running.apply(manifest, namespace);
  }

  /// The same with a resource of the class path, relative to the class of the test or from the root
  /// with `/`.
  public List<String> applyResource(String resource) {
    return apply(Manifests.read(test, resource));
  }

  /// Waits until something holds for an object, [#PATIENCE] at most.
  ///
  /// @param object kind or resource and name: `deployment/web`, `widgets.example.com/x`
  /// @param condition `exists`, `gone`, or a type of its conditions, `Available` or `Ready=False`
  /// @throws AssertionError when it does not in time, with what there is in the namespace
  public void await(String object, String condition) {
    await(object, condition, PATIENCE);
  }

  /// The same with a limit of its own.
  public void await(String object, String condition, Duration limit) {
    if (!running.await(object, namespace, condition, limit)) {
      throw new AssertionError(
          object + ": not " + condition + " within " + limit + "\n" + running.report(namespace));
    }
  }

  /// What a URL answers on the node, as text: waits until a request succeeds, [#PATIENCE] at most.
  /// Names are found as a pod of the namespace finds them: `http://web`, `http://web.other`.
  ///
  /// @throws AssertionError when none does in time, with what there is in the namespace
  /// @throws IllegalStateException when the cluster has no node
  public String get(String url) {
    return new NodeRequests(http()).get(url, PATIENCE, this::report);
  }

  /// A client whose connections are opened on the node, with names as in [#get]. Close it when many
  /// are made.
  public HttpClient http() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .proxy(ProxySelector.of(running.proxy(namespace)))
        .build();
  }

  /// A TCP connection from the node to a host and port, `web` and 5432.
  ///
  /// @throws IOException when the node gets none: the message has its words
  public Socket connect(String host, int port) throws IOException {
    Socket socket = new Socket(proxy());
    try {
      socket.connect(InetSocketAddress.createUnresolved(host, port), (int) PATIENCE.toMillis());
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /// The way to the node for other clients: an HTTP proxy on loopback, as long as the cluster runs.
  public Proxy proxy() {
    return new Proxy(Proxy.Type.HTTP, running.proxy(namespace));
  }

  /// The objects of the namespace with their state, and its last events.
  public String report() {
    return running.report(namespace);
  }
}
