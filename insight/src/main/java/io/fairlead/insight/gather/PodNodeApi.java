package io.fairlead.insight.gather;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.transport.PodTransport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The node APIs of proxies that run alone, as pods of a cluster whose API server does not know
/// about node APIs: reached by port-forward, and believed by what the proxy's report says. Safe for
/// many threads.
public final class PodNodeApi {
  private static final String PROXIES = "fairlead.dev/part=proxy";
  private static final int PORT = 10261;
  private static final int FEW = 5;

  private final ClientConfig connection;
  private final Client client;
  private final Map<String, Optional<Client>> found = new ConcurrentHashMap<>();

  /// @param connection to the API server
  /// @param client of the same
  public PodNodeApi(ClientConfig connection, Client client) {
    this.connection = connection;
    this.client = client;
  }

  /// What asks the proxy of a node; empty when none has a node API of its own in a pod, or the
  /// caller may not look for it.
  public Optional<Client> of(String node) {
    Optional<Client> known = found.get(node);
    if (known == null) {
      // Two threads may look at once; they find the same.
      known = find(node);
      found.put(node, known);
    }
    return known;
  }

  private Optional<Client> find(String node) {
    try {
      return reported(node);
    } catch (ApiException e) {
      return Optional.empty();
    }
  }

  private Optional<Client> reported(String node) {
    Optional<String> fingerprint =
        client
            .find(ResourceType.LEASES, ProxyReport.key(node))
            .map(lease -> ProxyReport.of(lease).nodeApi())
            .filter(text -> !text.isEmpty());
    return fingerprint.flatMap(
        text ->
            pod(node)
                .map(pod -> new Client(new PodTransport(connection, "fairlead", pod, PORT, text))));
  }

  private Optional<ObjectKey> pod(String node) {
    ListOptions onNode = new ListOptions(PROXIES, "spec.nodeName=" + node, "", "", FEW, "");
    List<V1Pod> pods =
        client
            .list(ResourceType.PODS, "", onNode, in -> V1Pod.read(in, FieldMask.of()), _ -> {})
            .items();
    return pods.stream()
        .filter(pod -> !pod.finished())
        .map(pod -> pod.metadata().key())
        .findFirst();
  }
}
