package io.fairlead.agent.files;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// What a pod's and a container's `securityContext` say together; the container's own word counts
/// more. Pure.
final class SecurityContextReader {
  private static final String CONTEXT = "securityContext";

  private SecurityContextReader() {}

  static LinuxContainerSecurityContext of(Pod pod, Container container) {
    JsonNode all = pod.spec().path(CONTEXT);
    JsonNode own = container.body().path(CONTEXT);
    List<Long> groups = new ArrayList<>();
    all.path("supplementalGroups").forEach(group -> groups.add(group.asLong(0)));
    if (all.has("fsGroup")) {
      groups.add(all.path("fsGroup").asLong(0));
    }
    String profile =
        Json.textOr(own, Json.textOr(all, "", "seccompProfile", "type"), "seccompProfile", "type");
    return new LinuxContainerSecurityContext(
        number(own, all, "runAsUser"),
        number(own, all, "runAsGroup"),
        groups,
        own.path("privileged").asBoolean(false),
        own.path("readOnlyRootFilesystem").asBoolean(false),
        !own.path("allowPrivilegeEscalation").asBoolean(true),
        texts(Json.at(own, "capabilities", "add")),
        texts(Json.at(own, "capabilities", "drop")),
        profile.equals("RuntimeDefault"));
  }

  static boolean privileged(Pod pod) {
    return pod.everyContainer()
        .anyMatch(one -> one.body().path(CONTEXT).path("privileged").asBoolean(false));
  }

  private static OptionalLong number(JsonNode own, JsonNode all, String name) {
    JsonNode found = own.has(name) ? own.path(name) : all.path(name);
    return found.isNumber() ? OptionalLong.of(found.asLong(0)) : OptionalLong.empty();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString("")));
    return texts;
  }
}
