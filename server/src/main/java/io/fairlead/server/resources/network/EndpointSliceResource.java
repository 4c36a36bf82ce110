package io.fairlead.server.resources.network;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Some of the addresses behind a Service.
public final class EndpointSliceResource extends StoredResource {
  private static final String UNSET = "<unset>";
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("AddressType", "The family of its addresses."),
          Column.text("Ports", "The ports behind each address."),
          Column.text("Endpoints", "The first addresses, ready or not."),
          Cells.AGE);

  public EndpointSliceResource() {
    super(
        ResourceDescriptorBuilder.namespaced("discovery.k8s.io", "endpointslices", "EndpointSlice")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    for (JsonNode endpoint : object.path("endpoints")) {
      if (endpoint instanceof ObjectNode one) {
        Json.child(one, "conditions");
        one.remove("deprecatedTopology");
      }
    }
    for (JsonNode port : object.path("ports")) {
      if (port instanceof ObjectNode one) {
        Defaults.missingText(one, "name", "");
        Defaults.missingText(one, "protocol", "TCP");
      }
    }
    // The lists are there also when they are empty: as null, for a client of the original reads it.
    for (String list : List.of("endpoints", "ports")) {
      if (object.path(list).isEmpty()) {
        object.putNull(list);
      }
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    EndpointSliceValidation.check(object, problems);
    if (old != null) {
      problems.immutable("addressType", object.path("addressType"), old.path("addressType"));
    }
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return old == null && object.path("addressType").asString("").equals("FQDN")
        ? List.of("spec.addressType: FQDN endpoints are deprecated")
        : List.of();
  }

  /// Labels say which Service a slice belongs to, so they count as content.
  @Override
  public boolean isGenerationChange(ObjectNode object, ObjectNode old) {
    return super.isGenerationChange(object, old)
        || !object.at("/metadata/labels").equals(old.at("/metadata/labels"));
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    List<String> addresses = new ArrayList<>();
    for (JsonNode endpoint : object.path("endpoints")) {
      addresses.addAll(Cells.strings(endpoint.path("addresses")));
    }
    return List.of(
        Cells.name(object),
        Cells.text(object.path("addressType").asString("")),
        Cells.text(ports(object.path("ports"))),
        Cells.text(addresses.isEmpty() ? UNSET : Cells.firstThree(addresses)),
        Cells.age(object, now));
  }

  private static String ports(JsonNode ports) {
    List<String> all = new ArrayList<>();
    for (JsonNode port : ports) {
      String name = port.path("name").asString("");
      if (port.path("port").isNumber()) {
        all.add(Integer.toString(port.path("port").asInt(0)));
      } else {
        all.add(name.isEmpty() ? "*" : name);
      }
    }
    return all.isEmpty() ? UNSET : Cells.firstThree(all);
  }
}
