package io.fairlead.insight.gather;

import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.ReachReport;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.ServiceFacts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// Where evidence is from. Two implementations: [ClusterSources] asks a cluster, the fake has
/// answers prepared. Safe for many threads at once; no method throws for what cannot be seen.
public interface Sources {
  /// One object; seen and empty when there is none.
  Evidence<Optional<ObjectNode>> find(ResourceType type, ObjectKey key);

  /// A list of objects, page by page.
  ///
  /// @param most so many and no more
  /// @param reader what to keep of each; whole objects of a large list take much memory
  <T> Evidence<List<T>> list(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader);

  /// The same of metadata only.
  <T> Evidence<List<T>> listMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader);

  /// A list of thousands of objects: what is kept of each is read from its tokens.
  default <T> Evidence<List<T>> listTyped(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<JsonParser, T> reader) {
    return list(type, namespace, options, most, object -> RawObject.of(object).read(reader));
  }

  /// The same of metadata only.
  default <T> Evidence<List<T>> listTypedMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<JsonParser, T> reader) {
    return listMetadata(
        type, namespace, options, most, object -> RawObject.of(object).read(reader));
  }

  /// A document of the node API of one node.
  ///
  /// @param question `about`, `listeners?pod=UID`…
  Evidence<ObjectNode> node(String node, String question);

  /// A document of the control plane below `/fairlead/`: `changes`.
  Evidence<ObjectNode> controlPlane(String question);

  /// Sends something from a node or one of its pods: a `POST` to its node API.
  Evidence<ObjectNode> post(String node, String question, ObjectNode body);

  /// What the kernel of this machine has for a Service, read without the node API; not seen where
  /// that is not possible.
  ///
  /// @param slices those of the Service, whole
  Evidence<RulesReport> localRules(ServiceFacts service, List<ObjectNode> slices);

  /// The node that this machine is; empty when it is none.
  Optional<String> localNode();

  /// Asks a DNS server for the addresses of a name. A silent server is an answer, too.
  ///
  /// @param name with its last dot
  Evidence<NameAnswer> resolve(String server, String name);

  /// Connects once from this machine.
  Evidence<ReachReport.Attempt> connect(String address, int port);
}
