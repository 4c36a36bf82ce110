package io.fairlead.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The program that clusters run in, once for each JVM.
///
/// How it works: the jar of this module holds the program's jars. They are loaded by a class loader
/// that sees the JDK and nothing of the test, so that both may use any version of any library. Only
/// objects of the JDK cross the border ([RunningCluster]). Where the jars are missing, as in the
/// build of this module, the program is taken from the class path.
final class ClusterProgram {
  private static final String ENTRY = "io.fairlead.app.EmbeddedCluster";

  private final Class<?> entry;

  private ClusterProgram(Class<?> entry) {
    this.entry = entry;
  }

  static ClusterProgram load() {
    try {
      List<Path> jars = PackedJars.of(ClusterProgram.class).unpacked();
      if (jars.isEmpty()) {
        return new ClusterProgram(Class.forName(ENTRY));
      }
      // Lives as long as the JVM: clusters of a suite do.
      ClassLoader loader =
          new URLClassLoader(
              "fairlead",
              jars.stream().map(ClusterProgram::url).toArray(URL[]::new),
              ClassLoader.getPlatformClassLoader());
      return new ClusterProgram(Class.forName(ENTRY, true, loader));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("this jar of fairlead-junit is not whole: no " + ENTRY, e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where a class was loaded from: a jar, or a directory of classes.
  static Path source(Class<?> type) {
    try {
      URI location = type.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(location);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  RunningCluster start(boolean node, Path directory) {
    return running(call(start(node), new Class<?>[] {Path.class}, directory));
  }

  RunningCluster start(boolean node, Path template, Path directory) {
    return running(call(start(node), new Class<?>[] {Path.class, Path.class}, template, directory));
  }

  private static String start(boolean node) {
    return node ? "startWithNode" : "start";
  }

  /// Why no node can run on this machine; empty when one can.
  Optional<String> nodeObstacle() {
    return ((Optional<?>) call("nodeObstacle", new Class<?>[0])).map(String::valueOf);
  }

  private Object call(String name, Class<?>[] types, Object... arguments) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // Threads that the program starts look for services where it looks for them.
    thread.setContextClassLoader(entry.getClassLoader());
    try {
      return entry.getMethod(name, types).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw unwrapped(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private RunningCluster running(Object cluster) {
    return (RunningCluster)
        Proxy.newProxyInstance(
            RunningCluster.class.getClassLoader(),
            new Class<?>[] {RunningCluster.class},
            (_, method, arguments) -> forward(cluster, method, arguments));
  }

  private static Object forward(Object cluster, Method method, Object[] arguments)
      throws Throwable {
    try {
      return cluster
          .getClass()
          .getMethod(method.getName(), method.getParameterTypes())
          .invoke(cluster, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static RuntimeException unwrapped(InvocationTargetException e) {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      case null, default -> new IllegalStateException(e);
    };
  }

  /// The names of files in a directory, sorted.
  static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
