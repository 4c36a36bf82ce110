package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.core.PolicyRemark;
import io.fairlead.policy.core.PolicyReview;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/// Tells policies and pods what is wrong with them, as Events. Safe for many threads.
final class PolicyEvents implements AutoCloseable {
  private static final String COMPONENT = "fairlead-policy";
  private static final Duration PACE = Duration.ofMinutes(1);

  private final Client client;
  private final PolicyInformers informers;
  private final String node;
  private final InstantSource clock;
  private final Ticker ticker;
  private final EventRecorder events;
  // Bounded by the pods that ever shared an address with a pod of this node.
  private final Set<String> sharedTold = ConcurrentHashMap.newKeySet();
  private final Map<ObjectKey, Long> cutTold = new ConcurrentHashMap<>();
  // What was said last about a policy, so that one generation is told once.
  private final Map<ObjectKey, List<PolicyRemark>> said = new ConcurrentHashMap<>();

  PolicyEvents(
      Client client, PolicyInformers informers, String node, InstantSource clock, Ticker ticker) {
    this.client = client;
    this.informers = informers;
    this.node = node;
    this.clock = clock;
    this.ticker = ticker;
    this.events = new EventRecorder(client, COMPONENT, clock, ticker);
  }

  /// Two pods claim one address: tells the one that does not get it.
  void addressShared(IpAddress address, PolicyPod loser, PolicyPod winner) {
    if ((!loser.node().equals(node) && !winner.node().equals(node))
        || !sharedTold.add(loser.metadata().uid() + " " + winner.metadata().uid())) {
      return;
    }
    events.record(
        ObjectEvent.warning(
            new ObjectRef(ResourceType.PODS, loser.key(), loser.metadata().uid()),
            "AddressShared",
            "FL168 %s is claimed by %s and %s; %s has it"
                .formatted(address, loser.key(), winner.key(), winner.key())));
  }

  /// A policy is new or has changed: says what its author has probably not meant. Of all nodes one
  /// speaks.
  void review(NetworkPolicy policy) {
    if (!informers.knowsAllPods() || !informers.nodes.hasSynced()) {
      return;
    }
    List<PolicyRemark> findings =
        PolicyReview.of(policy, informers.pods(), informers.namespaces.list());
    if (!findings.equals(said.put(policy.key(), findings)) && !findings.isEmpty()) {
      Tasks.start("policy-review " + policy.key(), () -> tell(policy, findings));
    }
  }

  private void tell(NetworkPolicy policy, List<PolicyRemark> findings) {
    if (!speaksFor(policy)) {
      return;
    }
    for (PolicyRemark finding : findings) {
      events.record(
          ObjectEvent.warning(
              new ObjectRef(PolicyInformers.POLICIES, policy.key(), policy.metadata().uid()),
              finding.reason(),
              finding.message()));
    }
  }

  void forget(NetworkPolicy policy) {
    said.remove(policy.key());
  }

  /// Whether this node is the one that speaks: all choose the same one among those whose report
  /// lives. Where reports cannot be read every node speaks.
  private boolean speaksFor(NetworkPolicy policy) {
    List<String> alive = new ArrayList<>(List.of(node));
    try {
      client.listAll(
          ResourceType.LEASES,
          PolicyReport.NAMESPACE,
          ListOptions.ALL.labelled(PolicyReport.LABEL),
          lease -> {
            PolicyReport report = PolicyReport.of(lease);
            if (report.lives(clock.instant())) {
              alive.add(report.node());
            }
          });
    } catch (ApiException | ConnectionException _) {
      return true;
    }
    return node.equals(speaker(policy.metadata().uid() + policy.key(), alive));
  }

  /// The first of some nodes by rendezvous hash: a node that comes or goes changes it only for what
  /// it speaks for itself.
  static String speaker(String identity, Collection<String> nodes) {
    return nodes.stream()
        .max(
            Comparator.comparingLong((String each) -> hash(identity + " " + each))
                .thenComparing(Comparator.naturalOrder()))
        .orElse("");
  }

  private static long hash(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  /// Connections were ended; told once a minute and pod.
  void wasCut(CutConnections cut) {
    long now = ticker.nanos();
    Long last = cutTold.get(cut.pod().key());
    if (last != null && now - last < PACE.toNanos()) {
      return;
    }
    cutTold.values().removeIf(told -> now - told >= PACE.toNanos());
    cutTold.put(cut.pod().key(), now);
    events.record(
        ObjectEvent.warning(
            new ObjectRef(ResourceType.PODS, cut.pod().key(), cut.pod().metadata().uid()),
            "ConnectionsCut",
            cut.message()));
  }

  /// Policies are not, or not fully, in force on this node.
  void unavailable(String why) {
    ObjectKey key = new ObjectKey("", node);
    String uid = informers.nodes.get(key).map(each -> each.metadata().uid()).orElse("");
    events.record(
        ObjectEvent.warning(
            new ObjectRef(ResourceType.NODES, key, uid),
            "PolicyUnavailable",
            "FL169 NetworkPolicy is not enforced on node %s: %s".formatted(node, why)));
  }

  @Override
  public void close() {
    events.close();
  }
}
