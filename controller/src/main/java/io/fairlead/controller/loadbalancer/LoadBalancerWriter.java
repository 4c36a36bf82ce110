package io.fairlead.controller.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.V1Condition;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes what Services are given. Each write names the version it was decided on, so that of two
/// writers one gets a conflict and looks again.
final class LoadBalancerWriter {
  private static final ResourceType TYPE = ResourceType.SERVICES;

  private final Client client;
  private final InstantSource clock;

  LoadBalancerWriter(Client client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /// Sets the finalizer and the names of the pools. Returns the new version.
  String keep(BalancedService service, String version, List<String> pools) {
    ObjectNode patch = patch(version);
    keep(patch, service, pools);
    return version(client.patch(TYPE, service.key(), PatchType.MERGE, patch));
  }

  private static void keep(ObjectNode patch, BalancedService service, List<String> pools) {
    List<String> finalizers = new ArrayList<>(service.metadata().finalizers());
    if (!finalizers.contains(BalancedService.FINALIZER)) {
      finalizers.add(BalancedService.FINALIZER);
    }
    finalizers(patch, finalizers);
    if (!pools.isEmpty() || service.allocatedFrom().isEmpty()) {
      Json.child(Json.child(patch, "metadata"), "annotations")
          .put(BalancedService.ALLOCATED_FROM, String.join(",", pools));
    }
  }

  /// Sets the finalizer, the names of the pools and the addresses, all in one write: servers take
  /// the metadata of a status, too. One that does not gets a second write. Returns the new version.
  String give(
      BalancedService service,
      List<String> pools,
      List<IpAddress> addresses,
      @Nullable V1Condition condition) {
    ObjectNode patch = patch(service.metadata().resourceVersion());
    keep(patch, service, pools);
    status(patch, service, addresses, condition);
    ObjectNode written = client.patch(TYPE, service.key(), "status", PatchType.MERGE, patch);
    return ObjectMeta.of(written).finalizers().contains(BalancedService.FINALIZER)
        ? version(written)
        : keep(service, version(written), pools);
  }

  /// Takes the finalizer away and, from a Service that lives on, the name of the pool.
  void letGo(BalancedService service, String version) {
    List<String> finalizers = new ArrayList<>(service.metadata().finalizers());
    finalizers.remove(BalancedService.FINALIZER);
    ObjectNode patch = patch(version);
    finalizers(patch, finalizers);
    if (!service.metadata().beingDeleted()) {
      Json.child(Json.child(patch, "metadata"), "annotations")
          .putNull(BalancedService.ALLOCATED_FROM);
    }
    client.patch(TYPE, service.key(), PatchType.MERGE, patch);
  }

  /// Writes the addresses, all in one write, and the condition if there is one to write. Returns
  /// the new version.
  ///
  /// @param condition to put in the place of the one there; null to leave conditions alone
  String status(
      BalancedService service,
      String version,
      List<IpAddress> addresses,
      @Nullable V1Condition condition) {
    ObjectNode patch = patch(version);
    status(patch, service, addresses, condition);
    return version(client.patch(TYPE, service.key(), "status", PatchType.MERGE, patch));
  }

  private static void status(
      ObjectNode patch,
      BalancedService service,
      List<IpAddress> addresses,
      @Nullable V1Condition condition) {
    ObjectNode status = Json.child(patch, "status");
    ObjectNode balancer = Json.child(status, "loadBalancer");
    if (addresses.isEmpty()) {
      balancer.putNull("ingress");
    } else {
      ArrayNode ingress = balancer.putArray("ingress");
      addresses.forEach(
          address -> ingress.addObject().put("ip", address.toString()).put("ipMode", "VIP"));
    }
    if (condition != null) {
      ArrayNode conditions = status.putArray("conditions");
      service.conditions().stream()
          .filter(other -> !other.type().equals(condition.type()))
          .forEach(other -> conditions.add(json(other)));
      conditions.add(json(condition));
    }
  }

  /// The condition that says whether a Service can be reached at its address.
  V1Condition condition(boolean ready, String reason, String message) {
    return new V1Condition(
        BalancedService.READY,
        ready ? "True" : "False",
        reason,
        message,
        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
        "");
  }

  private static ObjectNode json(V1Condition condition) {
    return Json.object()
        .put("type", condition.type())
        .put("status", condition.status())
        .put("lastTransitionTime", condition.lastTransitionTime())
        .put("reason", condition.reason())
        .put("message", condition.message());
  }

  private static ObjectNode patch(String version) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("resourceVersion", version);
    return patch;
  }

  private static void finalizers(ObjectNode patch, List<String> finalizers) {
    if (finalizers.isEmpty()) {
      Json.child(patch, "metadata").putNull("finalizers");
    } else {
      ArrayNode list = Json.child(patch, "metadata").putArray("finalizers");
      finalizers.forEach(list::add);
    }
  }

  private static String version(ObjectNode written) {
    return ObjectMeta.of(written).resourceVersion();
  }
}
