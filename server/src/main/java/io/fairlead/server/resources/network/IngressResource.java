package io.fairlead.server.resources.network;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
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

/// HTTP routes to Services.
public final class IngressResource extends StoredResource {
  private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Class", "The class whose controller serves it."),
          Column.text("Hosts", "The first names it answers to."),
          Column.text("Address", "Where it can be reached."),
          Column.text("Ports", "The ports it listens on."),
          Cells.AGE);

  public IngressResource() {
    super(
        ResourceDescriptorBuilder.namespaced("networking.k8s.io", "ingresses", "Ingress")
            .storedUnder("/registry/ingress")
            .shortNames("ing")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Json.child(object, "spec");
    if (object.get("status") instanceof ObjectNode status) {
      Json.child(status, "loadBalancer");
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
    IngressValidation.check(object.path("spec"), problems);
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    String old = object.path("metadata").path("annotations").path(CLASS_ANNOTATION).asString("");
    List<String> addresses = new ArrayList<>();
    for (JsonNode ingress : object.at("/status/loadBalancer/ingress")) {
      addresses.add(ingress.path("ip").asString(ingress.path("hostname").asString("")));
    }
    return List.of(
        Cells.name(object),
        Cells.orNone(spec.path("ingressClassName").asString(old)),
        Cells.text(hosts(spec)),
        Cells.text(String.join(",", addresses)),
        Cells.text(spec.path("tls").isEmpty() ? "80" : "80, 443"),
        Cells.age(object, now));
  }

  private static String hosts(JsonNode spec) {
    List<String> hosts = new ArrayList<>();
    for (JsonNode rule : spec.path("rules")) {
      String host = rule.path("host").asString("");
      if (!host.isEmpty()) {
        hosts.add(host);
      }
    }
    return hosts.isEmpty() ? "*" : Cells.firstThree(hosts);
  }
}
