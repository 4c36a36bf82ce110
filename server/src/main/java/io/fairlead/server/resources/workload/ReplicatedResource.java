package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.ScaleView;
import io.fairlead.server.resources.kind.StatusView;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import io.fairlead.server.resources.pod.PodWarnings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// As many pods of a template as its spec says: can be scaled, and counts its pods in its status.
abstract class ReplicatedResource extends StoredResource {
  private final List<String> counts;
  private final List<String> bounded;

  /// @param counts numbers of the status
  /// @param bounded those of them that are at most `replicas`
  ReplicatedResource(
      String plural, String kind, String shortName, List<String> counts, List<String> bounded) {
    this(plural, kind, shortName, NameValidator.SUBDOMAIN, counts, bounded);
  }

  ReplicatedResource(
      String plural,
      String kind,
      String shortName,
      NameValidator nameRule,
      List<String> counts,
      List<String> bounded) {
    super(
        ResourceDescriptorBuilder.namespaced("apps", plural, kind)
            .shortNames(shortName)
            .categories("all")
            .build(),
        nameRule,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.METADATA_AS_UPDATE);
    this.counts = counts;
    this.bounded = bounded;
  }

  @Override
  public final List<Subresource> subresources() {
    return List.of(new ScaleView(), StatusView.of(this));
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.missingNumber(spec, "replicas", 1);
    PodSpecDefaults.applyToTemplate(Json.child(spec, "template"));
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return PodWarnings.ofTemplate(object, old, "spec.template");
  }

  @Override
  protected final List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    WorkloadValidation.checkCounts(object.path("status"), counts, bounded, problems);
    return problems.list();
  }
}
