package io.fairlead.junit;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/// What [FairleadCluster] does. Made by JUnit; cannot be registered without the annotation.
final class FairleadExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterTestExecutionCallback,
        AfterEachCallback,
        ParameterResolver {
  private static final Logger LOG = Logger.getLogger("io.fairlead.junit");
  private static final Namespace STORE = Namespace.create(FairleadExtension.class);
  private static final int LONGEST_NAME = 40;

  /// Numbers of namespaces, for all clusters of the JVM.
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static ClusterFactory factory(ExtensionContext context) {
    return StoredValue.of(
        context.getRoot().getStore(STORE),
        ClusterFactory.class,
        () -> StoredValue.Made.closing(new ClusterFactory()));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    FairleadCluster wanted = annotation(context);
    checkNode(context);
    TestCluster cluster = new TestCluster(cluster(context), "default", test);
    for (String manifest : wanted.manifests()) {
      cluster.applyResource(manifest);
    }
  }

  /// Of the class of a test, or of the nearest one around it.
  private static FairleadCluster annotation(ExtensionContext context) {
    for (Class<?> at = context.getRequiredTestClass(); at != null; at = at.getEnclosingClass()) {
      Optional<FairleadCluster> found = AnnotationSupport.findAnnotation(at, FairleadCluster.class);
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new IllegalStateException("annotate the class with @FairleadCluster");
  }

  /// The cluster of this class, or of the suite.
  private static RunningCluster cluster(ExtensionContext context) {
    FairleadCluster wanted = annotation(context);
    ExtensionContext owner =
        wanted.scope() == FairleadCluster.Scope.SUITE ? context.getRoot() : outermost(context);
    boolean node = wanted.node() != FairleadCluster.Node.NONE;
    ClusterFactory factory = factory(context);
    Object started =
        StoredValue.of(
            owner.getStore(STORE),
            node ? "with a node" : "without a node",
            () -> StoredValue.Made.closing(factory.start(node)));
    return ((ClusterFactory.Started) started).cluster();
  }

  /// Refuses or skips tests that want a node where none can be.
  private static void checkNode(ExtensionContext context) {
    FairleadCluster.Node wanted = annotation(context).node();
    if (wanted == FairleadCluster.Node.NONE) {
      return;
    }
    Optional<String> obstacle = factory(context).nodeObstacle();
    if (obstacle.isPresent()) {
      String message = "no node can run here, which @FairleadCluster asks for: " + obstacle.get();
      Assumptions.assumeTrue(wanted == FairleadCluster.Node.REQUIRED, message);
      throw new IllegalStateException(
          message + "\nnode = ASSUMED would skip the tests of " + context.getDisplayName());
    }
  }

  /// The context of the outermost class: nested ones share its cluster.
  private static ExtensionContext outermost(ExtensionContext context) {
    ExtensionContext found = context;
    for (Optional<ExtensionContext> at = Optional.of(context);
        at.isPresent() && at.get().getTestClass().isPresent();
        at = at.get().getParent()) {
      found = at.get();
    }
    return found;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TestCluster cluster = testCluster(context);
    for (String manifest : annotation(context).testManifests()) {
      cluster.applyResource(manifest);
    }
  }

  /// Of the running test with a namespace of its own; in methods for all tests with `default`.
  private static TestCluster testCluster(ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    RunningCluster running = cluster(context);
    if (context.getTestMethod().isEmpty()) {
      return new TestCluster(running, "default", test);
    }
    return StoredValue.of(
        context.getStore(STORE),
        TestCluster.class,
        () -> {
          String name = namespace(context.getRequiredTestMethod().getName());
          running.createNamespace(name);
          return new StoredValue.Made<>(new TestCluster(running, name, test), null);
        });
  }

  /// A name that may stand in the API and tells whose it is: `a-pod-starts-3`.
  static String namespace(String method) {
    String words =
        method
            .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-+", "");
    String cut = words.substring(0, Math.min(words.length(), LONGEST_NAME));
    return ("test-" + cut.replaceAll("-+$", "") + "-" + NUMBERS.incrementAndGet())
        .replace("test--", "test-");
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    context
        .getExecutionException()
        .ifPresent(
            failure -> {
              try {
                String report = testCluster(context).report();
                LOG.severe(() -> context.getDisplayName() + " failed. What there is:\n" + report);
              } catch (RuntimeException e) {
                failure.addSuppressed(e);
              }
            });
  }

  @Override
  public void afterEach(ExtensionContext context) {
    cluster(context).deleteNamespace(testCluster(context).namespace());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> wanted = parameter.getParameter().getType();
    return wanted == TestCluster.class || ClientFactory.of(wanted).isPresent();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> wanted = parameter.getParameter().getType();
    TestCluster cluster = testCluster(context);
    if (wanted == TestCluster.class) {
      return cluster;
    }
    ClientFactory factory = ClientFactory.of(wanted).orElseThrow();
    Object client =
        StoredValue.of(context.getStore(STORE), factory, () -> factory.make(wanted, cluster));
    return factory.fit(wanted, client);
  }
}
