package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.ConnectSubresource;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A machine that runs pods.
public final class NodeResource extends StoredResource {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final List<String> NODE_INFO =
      List.of(
          "machineID",
          "systemUUID",
          "bootID",
          "kernelVersion",
          "osImage",
          "containerRuntimeVersion",
          "kubeletVersion",
          "kubeProxyVersion",
          "operatingSystem",
          "architecture");

  private final boolean balancersUseNodes;

  /// @param balancersUseNodes whether the addresses of nodes may be those of balancers too
  public NodeResource(boolean balancersUseNodes) {
    super(
        ResourceDescriptorBuilder.cluster("", "nodes", "Node")
            .shortNames("no")
            .storedUnder("/registry/minions")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS);
    this.balancersUseNodes = balancersUseNodes;
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(ConnectSubresource.proxy("NodeProxyOptions"), StatusView.of(this));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    mirrorPodCidr(spec);
    ObjectNode status = Json.child(object, "status");
    if (status.path("allocatable").isEmpty() && !status.path("capacity").isEmpty()) {
      status.set("allocatable", status.path("capacity").deepCopy());
    }
    ObjectNode kubelet = Json.child(Json.child(status, "daemonEndpoints"), "kubeletEndpoint");
    Defaults.missingNumber(kubelet, "Port", 0);
    ObjectNode info = Json.child(status, "nodeInfo");
    for (String field : NODE_INFO) {
      Defaults.missingText(info, field, "");
    }
  }

  /// A node is new to the cluster: nothing is put on it before it reports that it is ready.
  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (old != null) {
      return;
    }
    ObjectNode spec = Json.child(object, "spec");
    for (JsonNode taint : spec.path("taints")) {
      if (taint.path("key").asString("").equals(NOT_READY)
          && taint.path("effect").asString("").equals("NoSchedule")) {
        return;
      }
    }
    ArrayNode taints =
        spec.get("taints") instanceof ArrayNode found ? found : spec.putArray("taints");
    taints.addObject().put("key", NOT_READY).put("effect", "NoSchedule");
  }

  /// Unlike other kinds, a node may bring its status along.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    // Nothing reads it any more; a node that has it may keep it.
    if ((old == null || !old.path("spec").has("configSource"))
        && object.get("spec") instanceof ObjectNode spec) {
      spec.remove("configSource");
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    NodeValidation.check(object, problems);
    if (old != null) {
      NodeValidation.checkUpdate(object, old, problems);
    }
    BalancerAddressGuard.check(object, old, context, balancersUseNodes);
    return problems.list();
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    BalancerAddressGuard.check(object, old, context, balancersUseNodes);
    return List.of();
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    boolean unschedulable = object.path("spec").path("unschedulable").asBoolean(false);
    return Map.of("spec.unschedulable", Boolean.toString(unschedulable));
  }

  @Override
  public List<Column> columns() {
    return NodeTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return NodeTable.cells(object, now);
  }

  private static void mirrorPodCidr(ObjectNode spec) {
    String one = spec.path("podCIDR").asString("");
    String first = spec.path("podCIDRs").path(0).asString("");
    if (one.isEmpty() && !first.isEmpty()) {
      spec.put("podCIDR", first);
    } else if (!one.isEmpty() && !one.equals(first)) {
      // The old field counts where both are given.
      spec.putArray("podCIDRs").add(one);
    }
  }
}
