package io.fairlead.controller.golden;

import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.Transport;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A cluster without endpoint controllers, and in it an empty namespace.
public interface ClusterFixture extends AutoCloseable {
  /// What a test reads and writes with.
  Client client();

  /// What controllers reach the server through.
  Transport between();

  String namespace();

  /// Makes an object: of a pod also what its node would report of it, of a Service without the
  /// address where the server gives one.
  ObjectNode create(ResourceType type, ObjectNode object);

  /// Writes the status of a pod as its node does.
  ObjectNode report(String pod, ObjectNode status);

  /// Every write of controllers so far, as `METHOD path`.
  List<String> writes();

  @Override
  void close();
}
