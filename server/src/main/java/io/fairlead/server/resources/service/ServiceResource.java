package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameFormat;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resource.TableRows;
import io.fairlead.server.resources.kind.ConnectSubresource;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One stable name and address for a changing set of pods.
public final class ServiceResource extends StoredResource {
  private static final int LABEL_NAMES_SINCE = 36;

  private final ServiceNetwork network;

  public ServiceResource(ServiceNetwork network) {
    super(
        ResourceDescriptorBuilder.namespaced("", "services", "Service")
            .shortNames("svc")
            .categories("all")
            .storedUnder("/registry/services/specs")
            .build(),
        (name, prefix, minor) ->
            minor < LABEL_NAMES_SINCE
                ? NameFormat.DNS1035_LABEL.problems(name, prefix)
                : NameFormat.DNS1123_LABEL.problems(name, prefix),
        Trait.STATUS,
        Trait.CREATES_ON_UPDATE,
        Trait.DELETE_SHOWS_OBJECT,
        Trait.METADATA_AS_UPDATE);
    this.network = network;
  }

  @Override
  public List<Subresource> subresources() {
    return List.of(ConnectSubresource.proxy("ServiceProxyOptions"), StatusView.of(this));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ServiceDefaults.apply(object);
  }

  /// Refuses new external addresses unless they were allowed when the server was set up. Those that
  /// an object already has may stay and may be taken away.
  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.admit(object, old, context);
    List<String> added = Cells.strings(object.at("/spec/externalIPs"));
    if (old != null) {
      added.removeAll(Cells.strings(old.at("/spec/externalIPs")));
    }
    if (!network.externalIps() && !added.isEmpty()) {
      throw ApiException.forbidden(
          "",
          "services",
          object.at("/metadata/name").asString(""),
          "Use of external IPs is denied by admission control.");
    }
  }

  /// Decides on families, addresses and node ports, and claims them in the commit of the Service
  /// itself.
  @Override
  public List<Write> companions(
      @Nullable ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    JsonNode before = old == null ? null : old.path("spec");
    List<Write> writes = new ArrayList<>();
    if (object != null) {
      if (old != null) {
        TypeTransition.keepAllocated(object, old);
      }
      ObjectNode spec = Json.child(object, "spec");
      IpFamilies.normalize(spec, before);
      if (ServiceSpec.needsClusterIp(spec)) {
        initFamilies(object, spec, before);
        writes.addAll(new ClusterIpAllocator(network, context, object).claim(before));
      }
      writes.addAll(new NodePortAllocator(network.nodePorts(), context, object, before).claim());
    }
    if (old != null && before != null) {
      String name = old.at("/metadata/name").asString("");
      JsonNode now = object == null ? null : object.path("spec");
      writes.addAll(ClusterIpAllocator.release(name, before, now, context));
      writes.addAll(NodePortAllocator.release(before, now));
    }
    return writes;
  }

  @Override
  public List<String> claimPrefixes() {
    return List.of(ServiceClaims.NODE_PORTS);
  }

  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    if (old != null) {
      TypeTransition.dropObsolete(object, old);
    }
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status").putObject("loadBalancer");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    if (old != null) {
      ServiceValidation.checkUpdate(object, old, problems);
    }
    JsonNode before = old == null ? null : old.path("spec");
    ServiceValidation.check(object, before, context.emulatedMinor(), problems);
    return problems.list();
  }

  @Override
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    ServiceValidation.checkStatus(object, network.cidrs(), problems);
    if (problems.isEmpty()) {
      LoadBalancerWriterCheck.check(object, old, context, problems);
    }
    if (problems.isEmpty() && !network.clusterAddresses()) {
      LoadBalancerAddressCheck.check(object, old, context.reader(), problems);
    }
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    JsonNode spec = object.path("spec");
    List<String> warnings = new ArrayList<>(ServiceWarnings.of(spec, context.emulatedMinor()));
    warnings.addAll(SelectorTypoCheck.of(spec, old == null ? null : old.path("spec"), context));
    return warnings;
  }

  @Override
  public List<String> patchWarnings(ObjectNode current, ObjectNode patch, ObjectNode result) {
    return io.fairlead.api.patch.DroppedServicePortCheck.warnings(current, patch, result);
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    JsonNode spec = object.path("spec");
    return Map.of(
        "spec.clusterIP", spec.path("clusterIP").asString(""),
        "spec.type", ServiceSpec.type(spec));
  }

  @Override
  public List<Column> columns() {
    return ServiceTable.COLUMNS;
  }

  @Override
  public TableRows rows(ClusterReader reader) {
    return new ServiceRows(reader);
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return ServiceTable.cells(object, now);
  }

  /// What does not fit each other is said before anything is allocated.
  private void initFamilies(ObjectNode service, ObjectNode spec, @Nullable JsonNode before) {
    Problems problems = new Problems();
    ClusterIpValidation.check(spec, problems);
    if (problems.isEmpty()) {
      IpFamilies.init(spec, before, network.families(), problems);
    }
    if (!problems.isEmpty()) {
      throw ApiException.invalid(
          "", "Service", service.at("/metadata/name").asString(""), problems.list());
    }
  }
}
