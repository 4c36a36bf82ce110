package io.fairlead.insight.simulate;

import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.ReachReport;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.gather.Sources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Objects as evidence, for what judges Services by lists alone. Whole lists only: selectors are
/// not looked at. No kernel is behind it and nothing can be sent.
///
/// @param now when the objects were read, or would be
record SnapshotSources(ClusterObjects objects, Instant now) implements Sources {
  private static final Why NOTHING_SENT = new Why.SwitchedOff("simulate");

  @Override
  public Evidence<Optional<ObjectNode>> find(ResourceType type, ObjectKey key) {
    return Seen.api(objects.find(type.kind(), key), now);
  }

  @Override
  public <T> Evidence<List<T>> list(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader) {
    Why why = objects.unseen().get(type.kind());
    if (why != null) {
      return Unseen.of(why);
    }
    List<ObjectNode> found =
        namespace.isEmpty() || !type.namespaced()
            ? objects.all(type.kind())
            : objects.all(type.kind(), namespace);
    return Seen.api(found.stream().limit(most).map(reader).toList(), now);
  }

  @Override
  public <T> Evidence<List<T>> listMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader) {
    return list(type, namespace, options, most, reader);
  }

  @Override
  public Evidence<ObjectNode> node(String node, String question) {
    return new Unseen<>(NOTHING_SENT, node);
  }

  @Override
  public Evidence<ObjectNode> controlPlane(String question) {
    return Unseen.of(NOTHING_SENT);
  }

  @Override
  public Evidence<ObjectNode> post(String node, String question, ObjectNode body) {
    return new Unseen<>(NOTHING_SENT, node);
  }

  @Override
  public Evidence<RulesReport> localRules(ServiceFacts service, List<ObjectNode> slices) {
    return Unseen.of(NOTHING_SENT);
  }

  @Override
  public Optional<String> localNode() {
    return Optional.empty();
  }

  @Override
  public Evidence<NameAnswer> resolve(String server, String name) {
    return Unseen.of(NOTHING_SENT);
  }

  @Override
  public Evidence<ReachReport.Attempt> connect(String address, int port) {
    return Unseen.of(NOTHING_SENT);
  }
}
