package io.fairlead.server.resources.cluster;

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
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who holds something, and since when.
public final class LeaseResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.text("Holder", "Who holds it."), Cells.AGE);

  public LeaseResource() {
    super(
        ResourceDescriptorBuilder.namespaced("coordination.k8s.io", "leases", "Lease").build(),
        NameValidator.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.METADATA_AS_COMMON);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Json.child(object, "spec");
  }

  /// Nothing acts on these: upstream the feature gate of coordinated elections is off.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    for (String gated : List.of("strategy", "preferredHolder")) {
      if (old == null || !old.path("spec").has(gated)) {
        Json.child(object, "spec").remove(gated);
      }
    }
  }

  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    NodeReportCheck.check(object, context);
  }

  @Override
  public void checkDelete(ObjectNode object, RequestContext context) {
    NodeReportCheck.check(object, context);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    problems.positive("spec.leaseDurationSeconds", spec.path("leaseDurationSeconds"));
    problems.notNegative("spec.leaseTransitions", spec.path("leaseTransitions"));
    return problems.list();
  }

  @Override
  public boolean takesAnyFinalizer() {
    return true;
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.text(object.path("spec").path("holderIdentity").asString("")),
        Cells.age(object, now));
  }
}
