package io.fairlead.server.stream;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The nodes whose agents run in this process, by name.
public final class NodeStreams {
  private final Map<String, PodStreams> nodes = new ConcurrentHashMap<>();

  /// From now on streams of that node's pods come from there.
  public void serve(String node, PodStreams streams) {
    nodes.put(node, streams);
  }

  public Optional<PodStreams> of(String node) {
    return Optional.ofNullable(nodes.get(node));
  }
}
