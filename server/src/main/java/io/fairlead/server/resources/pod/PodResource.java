package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.ConnectSubresource;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Containers that live and die together on one node.
public final class PodResource extends StoredResource {
  private static final long DEFAULT_GRACE_SECONDS = 30;

  public PodResource() {
    super(
        ResourceDescriptorBuilder.namespaced("", "pods", "Pod")
            .shortNames("po")
            .categories("all")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.DELETE_SHOWS_OBJECT);
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(
        ConnectSubresource.stream("attach", "PodAttachOptions"),
        new BindingAction(),
        PodSubresources.ephemeralContainers(descriptor()),
        new EvictionAction(),
        ConnectSubresource.stream("exec", "PodExecOptions"),
        new ConnectSubresource("log", "Pod", List.of("get")),
        ConnectSubresource.stream("portforward", "PodPortForwardOptions"),
        ConnectSubresource.proxy("PodProxyOptions"),
        PodSubresources.resize(descriptor()),
        StatusView.of(this));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    PodSpecDefaults.applyToPod(Json.child(object, "spec"));
    PodStatusDefaults.apply(object);
  }

  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (old == null) {
      MirrorPodRestriction.check(object, context);
    }
  }

  /// A period below zero means one second.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    ObjectNode spec = Json.child(object, "spec");
    if (old == null && spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
      spec.put("terminationGracePeriodSeconds", 1);
    }
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    ObjectNode status = object.putObject("status");
    status.put("phase", "Pending");
    if (!object.path("spec").path("schedulingGates").isEmpty()) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", "PodScheduled")
          .put("status", "False")
          .put("reason", "SchedulingGated")
          .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    }
    status.put("qosClass", QosClass.of(object.path("spec")));
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    PodSpecValidation.check(object.path("spec"), "spec", problems);
    checkImages(object.path("spec"), problems);
    if (old != null) {
      PodUpdateValidation.check(object, old, problems);
    } else if (!object.path("spec").path("ephemeralContainers").isEmpty()) {
      problems.forbidden("spec.ephemeralContainers", "cannot be set on create");
    }
    return problems.list();
  }

  /// Templates may hold such names: programs fill them in.
  private static void checkImages(JsonNode spec, Problems problems) {
    for (String list : List.of("initContainers", "containers")) {
      int index = 0;
      for (JsonNode container : spec.path(list)) {
        String image = container.path("image").asString("");
        if (!image.strip().equals(image)) {
          problems.invalid(
              "spec." + list + "[" + index + "].image",
              image,
              "must not have leading or trailing whitespace");
        }
        index++;
      }
    }
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (old != null) {
      return List.of();
    }
    List<String> warnings = new ArrayList<>();
    PodWarnings.check(object.path("spec"), "spec", warnings);
    return warnings;
  }

  /// The node is no part of what was asked for: binding a pod does not count as a change.
  @Override
  public boolean isGenerationChange(ObjectNode object, ObjectNode old) {
    return !withoutNode(object).equals(withoutNode(old));
  }

  @Override
  public boolean endsGracefully() {
    return true;
  }

  @Override
  public long graceSeconds(ObjectNode object, @Nullable Long requested) {
    JsonNode spec = object.path("spec");
    String phase = object.path("status").path("phase").asString("");
    if (spec.path("nodeName").asString("").isEmpty()
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return 0;
    }
    long period =
        requested != null
            ? requested
            : spec.path("terminationGracePeriodSeconds").asLong(DEFAULT_GRACE_SECONDS);
    return period < 0 ? 1 : period;
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("spec.nodeName", spec.path("nodeName").asString(""));
    fields.put("spec.restartPolicy", spec.path("restartPolicy").asString(""));
    fields.put("spec.schedulerName", spec.path("schedulerName").asString(""));
    fields.put("spec.serviceAccountName", spec.path("serviceAccountName").asString(""));
    fields.put("spec.hostNetwork", Boolean.toString(spec.path("hostNetwork").asBoolean(false)));
    fields.put("status.phase", status.path("phase").asString(""));
    String address = status.path("podIPs").path(0).path("ip").asString("");
    fields.put("status.podIP", address);
    fields.put("status.podIPs", address);
    fields.put("status.nominatedNodeName", status.path("nominatedNodeName").asString(""));
    return fields;
  }

  @Override
  public List<Column> columns() {
    return PodTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return PodTable.cells(object, now);
  }

  @Override
  public List<ObjectNode> rowConditions(ObjectNode object) {
    return PodTable.rowConditions(object);
  }

  private static JsonNode withoutNode(ObjectNode pod) {
    JsonNode spec = pod.path("spec").deepCopy();
    if (spec instanceof ObjectNode copy) {
      copy.remove("nodeName");
    }
    return spec;
  }
}
