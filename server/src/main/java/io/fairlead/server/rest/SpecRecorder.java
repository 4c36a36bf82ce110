package io.fairlead.server.rest;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.changes.RecordedChange;
import io.fairlead.api.changes.TextLimits;
import io.fairlead.api.json.Json;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Records who changed what in the spec of Services, and who scaled workloads: what an answer to
/// "what changed" begins with. Safe for many threads.
public final class SpecRecorder {
  private static final Set<String> SCALED = Set.of("deployments", "statefulsets", "replicasets");

  /// What they do follows from what a user asked for.
  private static final String CONTROLLERS = "system:kube-controller-manager";

  private final ChangeRing ring = new ChangeRing("apiserver", ChangeRing.DEFAULT_SIZE);
  private final InstantSource clock;

  public SpecRecorder(InstantSource clock) {
    this.clock = clock;
  }

  public ChangeRing ring() {
    return ring;
  }

  /// One field before and after, as texts.
  private record FieldChange(String field, String from, String to) {}

  /// A write was stored.
  ///
  /// @param verb `create`, `update` or `delete`
  /// @param before null for a new object
  /// @param after null for one that is gone
  void stored(
      ResourceRequest call, String verb, @Nullable ObjectNode before, @Nullable ObjectNode after) {
    String resource = call.descriptor().plural();
    boolean service = resource.equals("services") && call.descriptor().group().isEmpty();
    boolean scaled = SCALED.contains(resource) && before != null && after != null;
    if (!service && !scaled) {
      return;
    }
    String user = call.user().name();
    List<FieldChange> fields = changes(before, after);
    if (scaled) {
      fields.removeIf(each -> !each.field().equals("replicas"));
    }
    if (fields.isEmpty() || (scaled && user.equals(CONTROLLERS))) {
      return;
    }
    ObjectNode known = after == null ? before : after;
    String name = known == null ? call.name() : ObjectMetadata.name(known);
    String version = after == null ? "" : ObjectMetadata.resourceVersion(after);
    String namespace = call.namespace();
    ring.add(
        new RecordedChange(
            "spec",
            clock.instant(),
            out -> {
              out.put("namespace", namespace).put("resource", resource).put("name", name);
              if (service) {
                out.put("service", name);
              }
              out.put("verb", verb).put("user", TextLimits.cut(user));
              if (!version.isEmpty()) {
                out.put("resourceVersion", version);
              }
              ArrayNode list = out.putArray("fields");
              fields.forEach(
                  each ->
                      list.addObject()
                          .put("field", each.field())
                          .put("from", each.from())
                          .put("to", each.to()));
            }));
  }

  private static List<FieldChange> changes(
      @Nullable ObjectNode before, @Nullable ObjectNode after) {
    JsonNode old = before == null ? Json.object() : before.path("spec");
    JsonNode now = after == null ? Json.object() : after.path("spec");
    Set<String> names = new TreeSet<>();
    old.properties().forEach(each -> names.add(each.getKey()));
    now.properties().forEach(each -> names.add(each.getKey()));
    List<FieldChange> changes = new ArrayList<>();
    for (String name : names) {
      if (!old.path(name).equals(now.path(name))) {
        changes.add(new FieldChange(name, text(old.path(name)), text(now.path(name))));
      }
    }
    return changes;
  }

  private static String text(JsonNode value) {
    return value.isMissingNode()
        ? ""
        : TextLimits.cut(value.isString() ? value.asString() : value.toString());
  }
}
