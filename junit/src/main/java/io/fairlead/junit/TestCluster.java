package io.fairlead.junit;

import java.net.URI;
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

  /// The objects of the namespace with their state, and its last events.
  public String report() {
    return running.report(namespace);
  }
}
