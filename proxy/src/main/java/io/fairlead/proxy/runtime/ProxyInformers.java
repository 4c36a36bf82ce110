package io.fairlead.proxy.runtime;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.proxy.node.ProxyNodeObject;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a proxy watches: the Services it serves, their slices, its own Node, and in nftables mode
/// the ranges of cluster IPs.
final class ProxyInformers implements AutoCloseable {
  static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);
  static final ResourceType SERVICES = new ResourceType("", "v1", "services", "Service", true);
  static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  static final ResourceType SERVICE_CIDRS =
      new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);

  private final Informer<ProxyNodeObject> nodes;
  private final Client client;
  private final ObjectKey node;
  private final ServiceInformers feed;
  private final Informer<ApiObject> ranges;

  // What was asked for at the start; good until the watches have it.
  private volatile @Nullable ProxyNodeObject askedNode;
  private volatile List<ApiObject> askedRanges = List.of();

  ProxyInformers(Client client, String nodeName, TimingSources pacing, ServiceInformers feed) {
    this.client = client;
    this.node = new ObjectKey("", nodeName);
    this.feed = feed;
    nodes =
        new Informer<>(
            ListWatchFactory.objectsByField(client, NODES, "", "metadata.name=" + nodeName),
            ProxyNodeObject::of,
            pacing);
    ranges =
        new Informer<>(
            ListWatchFactory.objects(client, SERVICE_CIDRS, "", ""), ApiObject::of, pacing);
  }

  /// Begins to read the Node.
  void startNode() {
    nodes.start();
  }

  /// Begins to read Services and slices. Further calls do nothing.
  void startFeed() {
    feed.start();
  }

  /// Whether the API has no change of Services and slices since these versions.
  boolean isSilentSince(String services, String slices) throws InterruptedException {
    return feed.isSilentSince(services, slices);
  }

  /// Asks once for the Node and the ranges: while a large cluster is being read, what is watched
  /// comes late, and rules written without them would have to be written again.
  ///
  /// @param withRanges whether the mode has a use for ranges
  void ask(boolean withRanges) {
    askedNode = asked(() -> client.find(NODES, node).map(ProxyNodeObject::of)).orElse(null);
    if (!withRanges) {
      return;
    }
    askedRanges =
        asked(() -> Optional.of(client.list(SERVICE_CIDRS, "", ListOptions.ALL)))
            .map(page -> page.items().stream().map(ApiObject::of).toList())
            .orElse(List.of());
  }

  private static <T> Optional<T> asked(Supplier<Optional<T>> question) {
    try {
      return question.get();
    } catch (ApiException | ConnectionException _) {
      // The watches go on until they work.
      return Optional.empty();
    }
  }

  /// The own Node as it is known now.
  Optional<ProxyNodeObject> node() {
    return nodes.get(node).or(() -> Optional.ofNullable(nodes.hasSynced() ? null : askedNode));
  }

  Informer<ProxyNodeObject> nodes() {
    return nodes;
  }

  Informer<ServiceObject> services() {
    return feed.services();
  }

  Informer<SliceObject> slices() {
    return feed.slices();
  }

  Informer<ApiObject> ranges() {
    return ranges;
  }

  /// The ranges of cluster IPs known now.
  List<Cidr> serviceCidrs() {
    List<Cidr> found = new ArrayList<>();
    for (ApiObject range : ranges.hasSynced() ? ranges.list() : askedRanges) {
      range
          .body()
          .path("spec")
          .path("cidrs")
          .forEach(
              text -> {
                Cidr cidr = Cidr.parseLenientOrNull(text.asString(""));
                if (cidr != null) {
                  found.add(cidr.masked());
                }
              });
    }
    found.sort(Cidr::compareTo);
    return found;
  }

  @Override
  public void close() {
    nodes.close();
    feed.close();
    ranges.close();
  }
}
