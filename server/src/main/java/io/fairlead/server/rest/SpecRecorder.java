package io.fairlead.server.rest;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.changes.RecordedChange;
import io.fairlead.api.changes.TextLimits;
import io.fairlead.api.json.Json;
import io.fairlead.server.cache.ObjectCodec;
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

  /// A new object was stored.
  ///
  /// @param stored its bytes, which the store and the cache hold too: they are read when the change
  ///   is
  void created(ResourceRequest call, String name, long revision, byte[] stored) {
    if (!isService(call)) {
      return;
    }
    String user = call.user().name();
    String namespace = call.namespace();
    ring.add(
        new RecordedChange(
            "spec",
            clock.instant(),
            out ->
                write(
                    out,
                    new Subject("services", namespace, name, Long.toString(revision)),
                    "create",
                    user,
                    changes(null, ObjectCodec.decode(stored)))));
  }

  /// A change was stored.
  ///
  /// @param verb `update` or `delete`
  /// @param after null for one that is gone
  void stored(ResourceRequest call, String verb, ObjectNode before, @Nullable ObjectNode after) {
    boolean scaled = after != null && SCALED.contains(call.descriptor().plural());
    if (!isService(call) && !scaled) {
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
    Subject subject =
        new Subject(
            call.descriptor().plural(),
            call.namespace(),
            ObjectMetadata.name(after == null ? before : after),
            after == null ? "" : ObjectMetadata.resourceVersion(after));
    ring.add(
        new RecordedChange(
            "spec", clock.instant(), out -> write(out, subject, verb, user, fields)));
  }

  private static boolean isService(ResourceRequest call) {
    return call.descriptor().plural().equals("services") && call.descriptor().group().isEmpty();
  }

  /// The object that was written.
  ///
  /// @param version empty for one that is gone
  private record Subject(String resource, String namespace, String name, String version) {}

  private static void write(
      ObjectNode out, Subject subject, String verb, String user, List<FieldChange> fields) {
    out.put("namespace", subject.namespace())
        .put("resource", subject.resource())
        .put("name", subject.name());
    if (subject.resource().equals("services")) {
      out.put("service", subject.name());
    }
    out.put("verb", verb).put("user", TextLimits.cut(user));
    if (!subject.version().isEmpty()) {
      out.put("resourceVersion", subject.version());
    }
    ArrayNode list = out.putArray("fields");
    fields.forEach(
        each ->
            list.addObject()
                .put("field", each.field())
                .put("from", each.from())
                .put("to", each.to()));
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
