package io.fairlead.server.resources.network;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.table.SelectorText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Who may talk to which pods.
public final class NetworkPolicyResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Pod-Selector", "The pods it applies to; all when it says none."),
          Cells.AGE);

  public NetworkPolicyResource() {
    super(
        Describe.namespaced("networking.k8s.io", "networkpolicies", "NetworkPolicy")
            .shortNames("netpol")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.GENERATIONS);
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
    NetworkPolicyRules.check(object.path("spec"), problems);
    return problems.list();
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
