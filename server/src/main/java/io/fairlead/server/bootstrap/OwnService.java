package io.fairlead.server.bootstrap;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resource.Resource;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The Service `kubernetes`, by which everybody in the cluster finds the API: its range, its
/// address and this server as an endpoint (spec 3.8, 3.9). Nothing that exists is overwritten:
/// somebody may have edited it.
public final class OwnService {
  private static final String NAME = "kubernetes";
  private static final String NETWORKING = "networking.k8s.io";
  private static final String CIDRS = "servicecidrs";
  private static final String DISCOVERY = "discovery.k8s.io";
  private static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

  private final Bootstrap bootstrap;
  private final List<String> cidrs;
  private final String address;
  private final int port;

  /// @param address where others reach this server
  public OwnService(Bootstrap bootstrap, List<String> cidrs, String address, int port) {
    this.bootstrap = bootstrap;
    this.cidrs = cidrs;
    this.address = address;
    this.port = port;
  }

  /// Makes what is missing. Cheap when nothing is.
  public void publish(InstantSource clock) {
    range(clock);
    service();
    IpAddress own = IpAddress.parseOrNull(address);
    // A loopback address says nothing to the rest of a cluster, and endpoints may not hold one.
    if (own != null && !own.isLoopback() && !own.isUnspecified()) {
      endpoints();
      slice(own);
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

  private void endpoints() {
    ObjectNode endpoints = object("v1", "Endpoints");
    ObjectNode metadata = (ObjectNode) endpoints.path("metadata");
    metadata.put("namespace", "default");
    metadata.putObject("labels").put("endpointslice.kubernetes.io/skip-mirror", "true");
    ObjectNode subset = endpoints.putArray("subsets").addObject();
    subset.putArray("addresses").addObject().put("ip", address);
    subset
        .putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", port)
        .put("protocol", "TCP");
    bootstrap.ensure("", "endpoints", "default", endpoints);
  }

  private void slice(IpAddress own) {
    ObjectNode slice = object(DISCOVERY + "/v1", "EndpointSlice");
    ObjectNode metadata = (ObjectNode) slice.path("metadata");
    metadata.put("namespace", "default");
    metadata.putObject("labels").put("kubernetes.io/service-name", NAME);
    slice.put("addressType", own.family().toString());
    ObjectNode endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add(address);
    endpoint.putObject("conditions").put("ready", true);
    slice
        .putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", port)
        .put("protocol", "TCP");
    bootstrap.ensure(DISCOVERY, "endpointslices", "default", slice);
  }

  private static ObjectNode object(String apiVersion, String kind) {
    ObjectNode object = Json.object().put("kind", kind).put("apiVersion", apiVersion);
    object.putObject("metadata").put("name", NAME);
    return object;
  }
}
