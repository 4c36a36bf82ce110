package io.fairlead.controller;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A small cluster in memory with all controllers running, and words to write tests in.
public final class ControllersTestCluster implements AutoCloseable {
  public static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  public static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  public static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);

  /// All that the controllers watch.
  public static final List<ResourceType> KINDS =
      List.of(
          ResourceType.PODS,
          ResourceType.NODES,
          ResourceType.CONFIG_MAPS,
          ResourceType.SERVICE_ACCOUNTS,
          ResourceType.EVENTS,
          ResourceType.CLUSTER_ROLES,
          ResourceType.NODES,
          ResourceType.ENDPOINTS,
          ResourceType.LEASES,
          ResourceType.DEPLOYMENTS,
          ResourceType.REPLICA_SETS,
          ResourceType.STATEFUL_SETS,
          ResourceType.DAEMON_SETS,
          ResourceType.CONTROLLER_REVISIONS,
          ResourceType.JOBS,
          ResourceType.SECRETS,
          ResourceType.CRON_JOBS,
          ResourceType.REPLICATION_CONTROLLERS,
          ResourceType.POD_DISRUPTION_BUDGETS,
          ResourceType.RESOURCE_QUOTAS,
          ResourceType.PERSISTENT_VOLUMES,
          ResourceType.PERSISTENT_VOLUME_CLAIMS,
          ResourceType.CERTIFICATE_SIGNING_REQUESTS,
          ResourceType.SERVICE_CIDRS,
          ResourceType.IP_ADDRESSES,
          SERVICES,
          SLICES,
          POLICIES);

  public final FakeApi api = new FakeApi(KINDS);
  public final Client client = new Client(api);
  private Controllers controllers;

  public ControllersTestCluster() {
    controllers = Controllers.start(client, Controllers.Options.single("PEM"));
  }

  /// Stops the controllers; what is done meanwhile they find when they come back.
  public void stop() {
    controllers.close();
  }

  /// How often any controller's key was held back because it was queued again too quickly.
  public double hotKeys() {
    for (MetricSnapshot metric : controllers.metrics()) {
      if (metric instanceof CounterSnapshot counter
          && metric.getMetadata().getName().equals("workqueue_hot_keys")) {
        return counter.getDataPoints().stream()
            .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
            .sum();
      }
    }
    throw new AssertionError("no such metric");
  }

  public void restart() {
    controllers = Controllers.start(client, Controllers.Options.single("PEM"));
  }

  public ObjectNode create(ResourceType type, String namespace, String name, ObjectNode... owners) {
    ObjectNode object = Json.object();
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    for (ObjectNode owner : owners) {
      metadata.withArray("ownerReferences").add(owner);
    }
    return client.create(type, namespace, object);
  }

  public void namespace(String name) {
    create(ResourceType.NAMESPACES, "", name);
  }

  /// A reference to an object, which blocks its foreground deletion.
  public static ObjectNode owner(ResourceType type, ObjectNode object) {
    return Json.object()
        .put("apiVersion", type.apiVersion())
        .put("kind", type.kind())
        .put("name", ObjectKey.of(object).name())
        .put("uid", ObjectMeta.of(object).uid())
        .put("blockOwnerDeletion", true);
  }

  public boolean exists(ResourceType type, String namespace, String name) {
    return client.find(type, new ObjectKey(namespace, name)).isPresent();
  }

  public ObjectMeta meta(ResourceType type, String namespace, String name) {
    return ObjectMeta.of(client.get(type, new ObjectKey(namespace, name)));
  }

  public void finalizers(ResourceType type, String namespace, String name, String... wanted) {
    ObjectNode patch = Json.object();
    var list = patch.putObject("metadata").putArray("finalizers");
    for (String finalizer : wanted) {
      list.add(finalizer);
    }
    client.patch(type, new ObjectKey(namespace, name), PatchType.MERGE, patch);
  }

  @Override
  public void close() {
    controllers.close();
    api.close();
  }
}
