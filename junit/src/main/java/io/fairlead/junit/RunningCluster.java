package io.fairlead.junit;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What is called of the program, which lives behind another class loader: types of the JDK alone.
/// The methods are those of `EmbeddedCluster` of the same name.
interface RunningCluster extends AutoCloseable {
  URI url();

  Path kubeconfig();

  void writeTemplate(Path template);

  void createNamespace(String name);

  void deleteNamespace(String name);

  List<String> apply(String manifest, String namespace);

  boolean await(String object, String namespace, String condition, Duration limit);

  String report(String namespace);

  InetSocketAddress proxy(String namespace);

  @Override
  void close();
}
