package io.fairlead.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Runs the tests of a class against a Kubernetes API with its controllers, in the JVM of the
/// tests, or beside it with a whole node.
///
/// Each test gets a namespace of its own. Parameters of test methods, of methods before and after
/// them, and of constructors are filled in: a [TestCluster], a client of fabric8
/// (`KubernetesClient`), the `ApiClient` of the official library or any of its `…Api` classes.
///
/// ```java
/// @FairleadCluster(manifests = "/crds.yaml")
/// class GreetingOperatorTest {
///   @Test
///   void aGreetingIsAnswered(TestCluster cluster, KubernetesClient client) {
///     cluster.apply("{apiVersion: example.com/v1, kind: Greeting, metadata: {name: hello}}");
///     cluster.await("greeting/hello", "Answered");
///   }
/// }
/// ```
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FairleadExtension.class)
public @interface FairleadCluster {
  /// How long a cluster lives.
  enum Scope {
    /// As long as the tests of this class, with a cluster for it alone.
    CLASS,
    /// Until the last test of the JVM, shared by all classes that say so.
    SUITE
  }

  /// Whether pods run and Services answer.
  enum Node {
    /// Pods are made and stay pending. Needs nothing.
    NONE,
    /// The cluster has a node in a network of its own. Where none can be made the tests fail.
    REQUIRED,
    /// The same, but where none can be made the tests are skipped.
    ASSUMED
  }

  Scope scope() default Scope.CLASS;

  /// A node needs root or a machine that lets users make namespaces. It changes nothing of the
  /// machine's own network; [TestCluster#get] and [TestCluster#http] connect into it.
  Node node() default Node.NONE;

  /// Resources of the class path, relative to the class or from the root with `/`, whose objects
  /// are applied before the first test: definitions, cluster roles, objects of the namespace
  /// `default`.
  String[] manifests() default {};

  /// The same, applied in the namespace of each test before it.
  String[] testManifests() default {};
}
