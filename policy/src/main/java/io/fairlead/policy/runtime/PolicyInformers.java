package io.fairlead.policy.runtime;

import io.fairlead.api.net.Cidr;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyNode;
import io.fairlead.policy.core.PolicyPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What the policy component watches: namespaces and policies of the cluster, its Node, and pods.
///
/// While there is no policy in the cluster only the node's own pods are followed: nothing depends
/// on the others. The first policy brings all of them, and until they are known it is not planned:
/// it would keep out the pods of other nodes that it lets in.
final class PolicyInformers implements AutoCloseable {
  static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);

  /// Policies come and go together, such as those of one test after another: all pods are followed
  /// for so long after the last policy has gone.
  static final Duration LINGER = Duration.ofMinutes(10);

  /// The pods that are followed.
  ///
  /// @param number grows with each other selection
  private record Followed(int number, boolean all, Informer<PolicyPod> pods) {}

  final Informer<PolicyNamespace> namespaces;
  final Informer<NetworkPolicy> policies;
  final Informer<PolicyNode> nodes;
  private final Client client;
  private final ObjectKey node;
  private final TimingSources timing;
  // Fixed by the start.
  private final List<ChangeHandler<PolicyPod>> podHandlers = new ArrayList<>();
  private final AtomicInteger policyCount = new AtomicInteger();
  private volatile @Nullable Followed followed;
  private volatile List<Cidr> lastRanges = List.of();
  // Fixed by the start.
  private Runnable allKnown = () -> {};
  private boolean always;
  // Guarded by this.
  private long neededLast;
  private boolean untold;
  private boolean closed;

  PolicyInformers(Client client, String nodeName, TimingSources timing) {
    this.client = client;
    this.timing = timing;
    node = new ObjectKey("", nodeName);
    namespaces =
        Informer.decoding(
            ListWatchFactory.objects(client, ResourceType.NAMESPACES, "", ""),
            PolicyNamespace::read,
            timing);
    policies =
        new Informer<>(
            ListWatchFactory.objects(client, POLICIES, "", ""), NetworkPolicyReader::read, timing);
    nodes =
        Informer.decoding(
            ListWatchFactory.objectsByField(
                client, ResourceType.NODES, "", "metadata.name=" + nodeName),
            PolicyNode::read,
            timing);
    // Before all other handlers: when they get a policy, all pods are needed already.
    policies.onChange(
        new ChangeHandler<>() {
          @Override
          public void added(NetworkPolicy policy, boolean initial) {
            policyCount.incrementAndGet();
          }

          @Override
          public void updated(NetworkPolicy old, NetworkPolicy now) {}

          @Override
          public void deleted(NetworkPolicy last, boolean finalStateUnknown) {
            policyCount.decrementAndGet();
          }
        });
  }

  /// Before the start. The handler hears of the same pods again when others are followed besides;
  /// that some are followed no more is not a deletion, see [#followPods].
  void onPodChange(ChangeHandler<PolicyPod> handler) {
    podHandlers.add(handler);
  }

  /// Before the start. All pods are followed with policies and without.
  void alwaysFollowAllPods() {
    always = true;
  }

  /// Before the start.
  ///
  /// @param receiver runs when all pods are known after those of the node alone were followed
  void onAllKnown(Runnable receiver) {
    allKnown = receiver;
  }

  void start() {
    nodes.start();
    namespaces.start();
    policies.start();
    if (always) {
      Followed _ = follow();
    }
  }

  /// Waits until everything that a plan needs was read once.
  ///
  /// @return the number of the pods that are followed, as [#followPods] has it
  int awaitSync() throws InterruptedException {
    nodes.awaitSync();
    namespaces.awaitSync();
    policies.awaitSync();
    Followed now = follow();
    now.pods().awaitSync();
    tell(now);
    return now.number();
  }

  private void tell(Followed now) {
    boolean first;
    synchronized (this) {
      first = untold && now.all();
      untold &= !now.all();
    }
    if (first) {
      allKnown.run();
    }
  }

  /// Begins to follow all pods when there is a policy now, and only the node's again some time
  /// after the last one has gone. A [FamilySync] asks after each change it has taken: when the
  /// answer is another one than before, its plan must be made from nothing.
  int followPods() {
    return follow().number();
  }

  private synchronized Followed follow() {
    Followed now = followed;
    boolean needed = always || policyCount.get() > 0;
    long nanos = timing.ticker().nanos();
    if (needed) {
      neededLast = nanos;
    }
    boolean all = needed || (now != null && now.all() && nanos - neededLast < LINGER.toNanos());
    if (now != null && (now.all() == all || closed)) {
      return now;
    }
    if (closed) {
      throw new IllegalStateException("closed");
    }
    if (now != null) {
      // It ends first: what it still has to say would be older than what the next one says.
      now.pods().close();
      untold = all;
    }
    Informer<PolicyPod> pods = Informer.decoding(selection(all), PolicyPod::read, timing);
    podHandlers.forEach(pods::onChange);
    Followed next = new Followed(now == null ? 1 : now.number() + 1, all, pods);
    followed = next;
    pods.start();
    return next;
  }

  private ListWatch selection(boolean all) {
    return all
        ? ListWatchFactory.objects(client, ResourceType.PODS, "", "")
        : ListWatchFactory.objectsByField(
            client, ResourceType.PODS, "", "spec.nodeName=" + node.name());
  }

  /// The pods that are known.
  List<PolicyPod> pods() {
    Followed now = followed;
    return now == null ? List.of() : now.pods().list();
  }

  /// Whether the pods of all nodes are known, as policies need them.
  boolean knowsAllPods() {
    Followed now = followed;
    return now != null && now.all() && now.pods().hasSynced();
  }

  /// The policies that connections are judged by: none before the pods that they name are known.
  List<NetworkPolicy> policiesInForce() {
    return knowsAllPods() ? policies.list() : List.of();
  }

  /// The ranges the Node has; none before it has any. A Node that registers again has none for a
  /// while: those it had stay, so that the gate does not open.
  List<Cidr> podRanges() {
    List<Cidr> now = nodes.get(node).map(PolicyNode::podRanges).orElse(List.of());
    if (!now.isEmpty()) {
      lastRanges = now;
    }
    return lastRanges;
  }

  /// Up to which versions the copies are complete.
  Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    Followed now = followed;
    versions.put("pods", now == null ? "" : now.pods().version());
    versions.put("namespaces", namespaces.version());
    versions.put("networkpolicies", policies.version());
    return versions;
  }

  @Override
  public void close() {
    Followed last;
    synchronized (this) {
      closed = true;
      last = followed;
    }
    if (last != null) {
      last.pods().close();
    }
    policies.close();
    namespaces.close();
    nodes.close();
  }
}
