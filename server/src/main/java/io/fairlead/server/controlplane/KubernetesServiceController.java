package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.Store;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The Service `kubernetes`, by which pods find the API: its range, its address, and the servers
/// that are alive as its endpoints (spec 3.8, 3.9). A Service or range that exists is not
/// overwritten: an administrator may have edited it. The endpoints are.
public final class KubernetesServiceController {
  private static final String NAME = "kubernetes";
  private static final String NETWORKING = "networking.k8s.io";
  private static final String CIDRS = "servicecidrs";
  private static final String DISCOVERY = "discovery.k8s.io";
  private static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

  private final Bootstrap bootstrap;
  private final List<String> cidrs;
  private final int port;
  private final @Nullable ServerLeases leases;

  /// @param address where others reach this server. A loopback address says nothing to the rest of
  ///   a cluster, and endpoints may not hold one: then the Service has none
  public KubernetesServiceController(
      Bootstrap bootstrap, Store store, List<String> cidrs, String address, int port) {
    this.bootstrap = bootstrap;
    this.cidrs = cidrs;
    this.port = port;
    IpAddress own = IpAddress.parseOrNull(address);
    this.leases =
        own == null || own.isLoopback() || own.isUnspecified()
            ? null
            : new ServerLeases(store, own, port);
  }

  /// Makes what is missing. Cheap when nothing is.
  public void publish(InstantSource clock) {
    range(clock);
    service();
    if (leases != null) {
      leases.renew();
      endpoints(leases.alive());
    }
  }

  /// Takes this server out of the endpoints, when it stops in an orderly way and others go on.
  public void withdraw() {
    if (leases != null) {
      leases.release();
      List<IpAddress> others = leases.alive();
      endpoints(others);
    }
  }

  private void range(InstantSource clock) {
    ObjectNode range = object(NETWORKING + "/v1", "ServiceCIDR");
    ((ObjectNode) range.path("metadata")).putArray("finalizers").add(FINALIZER);
    cidrs.forEach(range.putObject("spec").putArray("cidrs")::add);
    bootstrap.ensure(NETWORKING, CIDRS, "", range);
    @Nullable Resource resource = bootstrap.registry().find(NETWORKING, CIDRS);
    if (resource == null) {
      return;
    }
    bootstrap
        .writer()
        .updateStatus(
            resource,
            "",
            NAME,
            current -> {
              ObjectNode status = Json.child(current, "status");
              if (status.path("conditions").isEmpty()) {
                status
                    .putArray("conditions")
                    .addObject()
                    .put("type", "Ready")
                    .put("status", "True")
                    .put(
                        "lastTransitionTime",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                    .put("reason", "")
                    .put("message", "Kubernetes Service CIDR is ready");
              }
              return current;
            });
  }

  private void service() {
    ObjectNode service = object("v1", "Service");
    ObjectNode metadata = (ObjectNode) service.path("metadata");
    metadata.put("namespace", "default");
    metadata.putObject("labels").put("component", "apiserver").put("provider", NAME);
    ObjectNode spec = service.putObject("spec");
    spec.put("clusterIP", Cidr.parse(cidrs.getFirst()).at(1).toString());
    spec.put("type", "ClusterIP").put("sessionAffinity", "None");
    spec.put("ipFamilyPolicy", "SingleStack");
    spec.putArray("ports")
        .addObject()
        .put("name", "https")
        .put("protocol", "TCP")
        .put("port", 443)
        .put("targetPort", port);
    bootstrap.ensure("", "services", "default", service);
  }

  private void endpoints(List<IpAddress> servers) {
    ObjectNode endpoints = object("v1", "Endpoints");
    ObjectNode metadata = (ObjectNode) endpoints.path("metadata");
    metadata.put("namespace", "default");
    metadata.putObject("labels").put("endpointslice.kubernetes.io/skip-mirror", "true");
    ArrayNode subsets = endpoints.putArray("subsets");
    if (!servers.isEmpty()) {
      ObjectNode subset = subsets.addObject();
      ArrayNode addresses = subset.putArray("addresses");
      servers.forEach(server -> addresses.addObject().put("ip", server.toString()));
      addPort(subset);
    }
    put("", "endpoints", endpoints, List.of("subsets"));

    boolean ipv6 = !servers.isEmpty() && servers.stream().allMatch(IpAddress::isIpv6);
    ObjectNode slice = object(DISCOVERY + "/v1", "EndpointSlice");
    metadata = (ObjectNode) slice.path("metadata");
    metadata.put("namespace", "default");
    metadata.putObject("labels").put("kubernetes.io/service-name", NAME);
    slice.put("addressType", ipv6 ? "IPv6" : "IPv4");
    ArrayNode list = slice.putArray("endpoints");
    for (IpAddress server : servers) {
      if (server.isIpv6() == ipv6) {
        ObjectNode endpoint = list.addObject();
        endpoint.putArray("addresses").add(server.toString());
        endpoint.putObject("conditions").put("ready", true);
      }
    }
    addPort(slice);
    put(DISCOVERY, "endpointslices", slice, List.of("endpoints", "ports"));
  }

  private void addPort(ObjectNode to) {
    to.putArray("ports").addObject().put("name", "https").put("port", port).put("protocol", "TCP");
  }

  /// Makes the object, or gives the one that exists these fields. Nothing is written when it has
  /// them.
  private void put(String group, String plural, ObjectNode wanted, List<String> fields) {
    bootstrap.ensure(group, plural, "default", wanted);
    @Nullable Resource resource = bootstrap.registry().find(group, plural);
    if (resource == null) {
      return;
    }
    bootstrap
        .writer()
        .update(
            resource,
            "default",
            NAME,
            current -> {
              for (String field : fields) {
                if (wanted.path(field).isEmpty()) {
                  current.remove(field);
                } else {
                  current.set(field, wanted.path(field).deepCopy());
                }
              }
              return current;
            });
  }

  private static ObjectNode object(String apiVersion, String kind) {
    ObjectNode object = Json.object().put("kind", kind).put("apiVersion", apiVersion);
    object.putObject("metadata").put("name", NAME);
    return object;
  }
}
