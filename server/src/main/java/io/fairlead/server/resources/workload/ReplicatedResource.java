package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ScaleView;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// As many pods of a template as somebody wishes: can be scaled, and counts its pods in its status.
abstract class ReplicatedResource extends StoredResource {
  private final List<String> counts;
  private final List<String> bounded;

  /// @param counts numbers of the status
  /// @param bounded those of them that are at most `replicas`
  ReplicatedResource(
      String plural, String kind, String shortName, List<String> counts, List<String> bounded) {
    super(
        Describe.namespaced("apps", plural, kind).shortNames(shortName).categories("all").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
    this.counts = counts;
    this.bounded = bounded;
  }

  @Override
  public final List<Subresource> subresources() {
    return List.of(new ScaleView(), new StatusView(this));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.missingNumber(spec, "replicas", 1);
    PodSpecDefaults.applyToTemplate(Json.child(spec, "template"));
  }

  @Override
  protected final List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    WorkloadRules.checkCounts(object.path("status"), counts, bounded, problems);
    return problems.list();
  }
}
