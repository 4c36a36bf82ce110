package io.fairlead.insight.evidence;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.proxy.announce.AnnouncementOverview;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Everything that is known about one Service.
///
/// @param key what was asked for
/// @param service empty when the API has none of that name there
/// @param namesakes the namespaces that have a Service of that name; asked only when there is none
/// @param objects what the API has for it
/// @param nodes what nodes say, by their names
/// @param listeners the sockets of pods, by the pods' names
/// @param name what the cluster's DNS server says about its name
/// @param reach what came of connections to it
/// @param client who asks; empty for no one in particular
/// @param front the address of the Service that is asked about; empty for its cluster IP
public record ServiceEvidence(
    Instant now,
    ObjectKey key,
    Evidence<Optional<ServiceFacts>> service,
    Evidence<List<String>> namesakes,
    ApiObjects objects,
    Map<String, NodeEvidence> nodes,
    Map<String, Evidence<ListenersReport>> listeners,
    Evidence<NameAnswer> name,
    Evidence<ReachReport> reach,
    Optional<Client> client,
    String front) {

  /// What the API has for a Service.
  ///
  /// @param pods those that its selector picks; when there are none, all of its namespace
  /// @param elsewhere namespaces with pods that the selector would pick; asked only when none is
  ///   picked or nearly
  /// @param slices those with its label
  /// @param strays slices of its namespace without the label, whose names begin with its name;
  ///   asked only without a selector
  /// @param endpoints the older object of its name
  /// @param nodes all
  /// @param owners workloads whose pods the selector picks; asked only when no pod is picked
  /// @param reports of all proxies
  /// @param controllers the Lease of the controllers
  /// @param neighbours other pods of its namespace, whole
  /// @param policies NetworkPolicies of its namespace, whole
  /// @param enforcers the nodes on which a component of ours enforces policies
  /// @param namespaces all, whole; asked only when a client and policies are there
  /// @param services the names of all Services of its namespace
  /// @param dnsEndpoints how many ready endpoints the cluster's DNS Service has
  /// @param balancer the load balancer addresses that Fairlead gave it, and who announces them
  public record ApiObjects(
      Evidence<List<V1Pod>> pods,
      Evidence<List<String>> elsewhere,
      Evidence<List<V1EndpointSlice>> slices,
      Evidence<List<V1EndpointSlice>> strays,
      Evidence<Optional<ObjectNode>> endpoints,
      Evidence<List<V1Node>> nodes,
      Evidence<List<Owner>> owners,
      Evidence<List<ProxyReport>> reports,
      Evidence<Optional<ObjectNode>> controllers,
      Evidence<List<ObjectNode>> neighbours,
      Evidence<List<ObjectNode>> policies,
      Evidence<List<String>> enforcers,
      Evidence<List<ObjectNode>> namespaces,
      Evidence<List<String>> services,
      Evidence<Integer> dnsEndpoints,
      Evidence<List<AnnouncementOverview.Row>> balancer) {}

  /// What one node says.
  public record NodeEvidence(
      Evidence<AboutReport> about, Evidence<RulesReport> rules, Evidence<ChecksReport> checks) {}

  /// Who asks.
  ///
  /// @param pod the whole object; empty when it is a node
  /// @param node where it is
  public record Client(String name, Optional<ObjectNode> pod, String node) {}

  public ServiceEvidence {
    nodes = Map.copyOf(nodes);
    listeners = Map.copyOf(listeners);
  }
}
