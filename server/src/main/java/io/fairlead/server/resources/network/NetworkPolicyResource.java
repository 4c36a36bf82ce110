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
import io.fairlead.server.resources.table.SelectorText;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Who may talk to which pods.
public final class NetworkPolicyResource extends StoredResource {
  // Where components that enforce policies report that they do.
  private static final String REPORT_NAMESPACE = "kube-public";
  private static final String REPORT_LABEL = "fairlead.dev/policy";

  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Pod-Selector", "The pods it applies to; all when it says none."),
          Cells.AGE);

  public NetworkPolicyResource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "networking.k8s.io", "networkpolicies", "NetworkPolicy")
            .shortNames("netpol")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Json.child(spec, "podSelector");
    for (String direction : List.of("ingress", "egress")) {
      for (JsonNode rule : spec.path(direction)) {
        for (JsonNode port : rule.path("ports")) {
          if (port instanceof ObjectNode one) {
            Defaults.missingText(one, "protocol", "TCP");
          }
        }
      }
    }
    if (spec.path("policyTypes").isEmpty()) {
      ArrayNode types = spec.putArray("policyTypes").add("Ingress");
      if (!spec.path("egress").isEmpty()) {
        types.add("Egress");
      }
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    NetworkPolicyValidation.check(object.path("spec"), problems);
    return problems.list();
  }

  /// A policy that nothing enforces is the worst of all answers, so it is said: when there are
  /// nodes and none of them reports that it enforces policies.
  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (context.reader().labels("", "nodes", "").isEmpty()) {
      return List.of();
    }
    Instant now = context.clock().instant();
    for (ObjectNode lease :
        context.reader().list("coordination.k8s.io", "leases", REPORT_NAMESPACE)) {
      if (lease.at("/metadata/labels").has(REPORT_LABEL) && lives(lease, now)) {
        return List.of();
      }
    }
    return List.of("nothing enforces NetworkPolicy: no node reports that it does (FL169)");
  }

  private static boolean lives(ObjectNode lease, Instant now) {
    try {
      return Instant.parse(Json.textOr(lease, "", "spec", "renewTime"))
          .plusSeconds(lease.at("/spec/leaseDurationSeconds").asLong(0))
          .isAfter(now);
    } catch (DateTimeParseException _) {
      return false;
    }
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.orNone(SelectorText.ofSelector(object.at("/spec/podSelector"))),
        Cells.age(object, now));
  }
}
