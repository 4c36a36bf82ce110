package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.cluster.FlowControlDefaults;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the default flow schemas and priority levels, and says of every schema whether its level
/// exists.
///
/// A default object that is missing is made again. One that exists is brought up to date when its
/// annotation `apf.kubernetes.io/autoupdate-spec` says so; where the annotation says nothing, what
/// was never changed is, and the annotation is written.
public final class FlowControlBootstrap {
  private static final String DANGLING = "Dangling";

  private final Bootstrap bootstrap;
  private final ClusterReader reader;
  private final InstantSource clock;
  // Of the one thread that asks for conditions.
  private long seen = -1;

  public FlowControlBootstrap(Bootstrap bootstrap, ClusterReader reader, InstantSource clock) {
    this.bootstrap = bootstrap;
    this.reader = reader;
    this.clock = clock;
  }

  /// Makes and updates the default objects, levels before the schemas that name them. Cheap when
  /// nothing is to be done.
  public void defaults() {
    keep(FlowControlDefaults.LEVELS, FlowControlDefaults.levels());
    keep(FlowControlDefaults.SCHEMAS, FlowControlDefaults.schemas());
  }

  private void keep(String plural, List<ObjectNode> wanted) {
    Resource resource = bootstrap.registry().find(FlowControlDefaults.GROUP, plural);
    if (resource == null) {
      return;
    }
    List<ObjectNode> missing =
        wanted.stream()
            .filter(
                one ->
                    !reader.has(
                        FlowControlDefaults.GROUP, plural, "", FlowControlDefaults.name(one)))
            .toList();
    if (!missing.isEmpty()) {
      bootstrap.all(FlowControlDefaults.GROUP, plural, missing);
    }
    for (ObjectNode one : wanted) {
      ObjectNode present =
          reader.get(FlowControlDefaults.GROUP, plural, "", FlowControlDefaults.name(one));
      if (present != null && complete(present, one)) {
        bootstrap
            .writer()
            .update(
                resource,
                "",
                FlowControlDefaults.name(one),
                current -> {
                  boolean unused = complete(current, one);
                  return current;
                });
      }
    }
  }

  /// Brings a default object up to date as far as the server may.
  ///
  /// @return whether something changed
  static boolean complete(ObjectNode present, ObjectNode wanted) {
    boolean mandatory = FlowControlDefaults.isMandatory(FlowControlDefaults.name(present));
    String said =
        Json.textOr(present, "", "metadata", "annotations", FlowControlDefaults.AUTO_UPDATE);
    boolean clear = said.equals("true") || said.equals("false");
    boolean unchanged = present.path("metadata").path("generation").asLong(0) == 1;
    boolean update = mandatory || (clear ? said.equals("true") : unchanged);
    boolean changed = false;
    if (!said.equals(Boolean.toString(update))) {
      Json.child(Json.child(present, "metadata"), "annotations")
          .put(FlowControlDefaults.AUTO_UPDATE, Boolean.toString(update));
      changed = true;
    }
    if (update
        && !FlowControlDefaults.fixedPart(present).equals(FlowControlDefaults.fixedPart(wanted))) {
      present.set("spec", wanted.path("spec").deepCopy());
      changed = true;
    }
    return changed;
  }

  /// Writes the condition `Dangling` of schemas where it is not right.
  ///
  /// @param version of the objects; nothing is done when it is that of the last time
  public void conditions(long version) {
    if (version == seen) {
      return;
    }
    conditions();
    seen = version;
  }

  private void conditions() {
    Resource schemas =
        bootstrap.registry().find(FlowControlDefaults.GROUP, FlowControlDefaults.SCHEMAS);
    if (schemas == null) {
      return;
    }
    Set<String> levels = new HashSet<>();
    for (ObjectNode level :
        reader.list(FlowControlDefaults.GROUP, FlowControlDefaults.LEVELS, "")) {
      levels.add(FlowControlDefaults.name(level));
    }
    List<Runnable> writes = new ArrayList<>();
    for (ObjectNode schema :
        reader.list(FlowControlDefaults.GROUP, FlowControlDefaults.SCHEMAS, "")) {
      boolean dangling = !levels.contains(level(schema));
      if (!isSaid(schema, dangling)) {
        writes.add(() -> write(schemas, FlowControlDefaults.name(schema), dangling));
      }
    }
    Bootstrap.together(writes);
  }

  private void write(Resource schemas, String name, boolean dangling) {
    try {
      bootstrap
          .writer()
          .updateStatus(
              schemas,
              "",
              name,
              current -> {
                say(current, dangling);
                return current;
              });
    } catch (ApiException e) {
      // Who deleted it meanwhile wants no condition.
      if (e.status().code() != 404) {
        throw e;
      }
    }
  }

  private static boolean isSaid(ObjectNode schema, boolean dangling) {
    JsonNode condition = condition(schema);
    return condition != null
        && condition.path("status").asString("").equals(dangling ? "True" : "False")
        && condition.path("message").asString("").equals(message(schema, dangling));
  }

  private void say(ObjectNode schema, boolean dangling) {
    ObjectNode known = condition(schema);
    ObjectNode condition =
        known == null
            ? Json.child(schema, "status").withArray("conditions").addObject().put("type", DANGLING)
            : known;
    String status = dangling ? "True" : "False";
    if (!condition.path("status").asString("").equals(status)) {
      condition.put("status", status);
      condition.put(
          "lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    }
    condition.put("reason", dangling ? "NotFound" : "Found");
    condition.put("message", message(schema, dangling));
  }

  private static @Nullable ObjectNode condition(ObjectNode schema) {
    for (JsonNode condition : schema.path("status").path("conditions")) {
      if (condition instanceof ObjectNode known
          && known.path("type").asString("").equals(DANGLING)) {
        return known;
      }
    }
    return null;
  }

  private static String message(ObjectNode schema, boolean dangling) {
    return "This FlowSchema references the PriorityLevelConfiguration object named \""
        + level(schema)
        + (dangling ? "\" but there is no such object" : "\" and it exists");
  }

  private static String level(ObjectNode schema) {
    return Json.textOr(schema, "", "spec", "priorityLevelConfiguration", "name");
  }
}
