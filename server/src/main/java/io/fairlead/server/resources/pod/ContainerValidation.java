package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceNameRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Checks the containers of one pod; names and host ports must be unique among all of them.
final class ContainerValidation {
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");

  private final Set<String> volumes;
  private final Problems problems;
  private final Set<String> names = Problems.seen();
  private final Set<String> hostPorts = Problems.seen();

  ContainerValidation(Set<String> volumes, Problems problems) {
    this.volumes = volumes;
    this.problems = problems;
  }

  void checkMain(JsonNode containers, String path) {
    if (containers.isEmpty()) {
      problems.required(path);
      return;
    }
    int index = 0;
    for (JsonNode container : containers) {
      String at = path + "[" + index + "]";
      checkCommon(container, at);
      checkRestart(container, at);
      ProbeValidation.check(container, at, problems);
      checkHostPorts(container, at);
      index++;
    }
  }

  void checkInit(JsonNode containers, String path) {
    int index = 0;
    for (JsonNode container : containers) {
      String at = path + "[" + index + "]";
      checkCommon(container, at);
      checkRestart(container, at);
      boolean sidecar = container.path("restartPolicy").asString("").equals("Always");
      if (sidecar) {
        ProbeValidation.check(container, at, problems);
      } else {
        for (String field :
            List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
          if (container.has(field)) {
            problems.forbidden(
                at + "." + field,
                "may not be set for init containers without restartPolicy=Always");
          }
        }
      }
      checkHostPorts(container, at);
      index++;
    }
  }

  void checkEphemeral(JsonNode containers, String path) {
    int index = 0;
    for (JsonNode container : containers) {
      String at = path + "[" + index + "]";
      checkCommon(container, at);
      for (String field : List.of("ports", "livenessProbe", "readinessProbe", "startupProbe")) {
        if (container.has(field) && !container.path(field).isEmpty()) {
          problems.forbidden(at + "." + field, "cannot be set for an Ephemeral Container");
        }
      }
      index++;
    }
  }

  private void checkCommon(JsonNode container, String path) {
    String name = container.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".name");
    } else {
      problems.each(path + ".name", name, NameValidation.dns1123Label(name));
      problems.unique(path + ".name", name, names);
    }
    String image = container.path("image").asString("");
    if (image.isEmpty()) {
      problems.required(path + ".image");
    }
    problems.requiredOneOf(
        path + ".terminationMessagePolicy",
        container.path("terminationMessagePolicy"),
        MESSAGE_POLICIES);
    checkPorts(container.path("ports"), path + ".ports");
    EnvironmentValidation.check(container, path, problems);
    checkMounts(container.path("volumeMounts"), path + ".volumeMounts");
    checkDevices(container.path("volumeDevices"), path + ".volumeDevices");
    problems.requiredOneOf(
        path + ".imagePullPolicy", container.path("imagePullPolicy"), PULL_POLICIES);
    checkResources(container.path("resources"), path + ".resources");
    checkResize(container.path("resizePolicy"), path + ".resizePolicy");
    PodSecurityValidation.checkContainer(
        container.path("securityContext"), path + ".securityContext", problems);
  }

  private void checkPorts(JsonNode ports, String path) {
    Set<String> portNames = Problems.seen();
    int index = 0;
    for (JsonNode port : ports) {
      String at = path + "[" + index + "]";
      String name = port.path("name").asString("");
      if (!name.isEmpty()) {
        List<String> texts = NameValidation.portName(name);
        problems.each(at + ".name", name, texts);
        if (texts.isEmpty()) {
          problems.unique(at + ".name", name, portNames);
        }
      }
      long number = port.path("containerPort").asLong(0);
      if (number == 0) {
        problems.required(at + ".containerPort");
      } else {
        checkNumber(at + ".containerPort", number);
      }
      long hostPort = port.path("hostPort").asLong(0);
      if (hostPort != 0) {
        checkNumber(at + ".hostPort", hostPort);
      }
      problems.requiredOneOf(at + ".protocol", port.path("protocol"), PROTOCOLS);
      index++;
    }
  }

  private void checkNumber(String path, long number) {
    for (String text : NameValidation.portNumber(number)) {
      problems.invalid(path, number, text);
    }
  }

  private void checkHostPorts(JsonNode container, String path) {
    int index = 0;
    for (JsonNode port : container.path("ports")) {
      long hostPort = port.path("hostPort").asLong(0);
      if (hostPort != 0) {
        String claim =
            port.path("protocol").asString("")
                + "/"
                + port.path("hostIP").asString("")
                + "/"
                + hostPort;
        problems.unique(path + ".ports[" + index + "].hostPort", claim, hostPorts);
      }
      index++;
    }
  }

  private void checkMounts(JsonNode mounts, String path) {
    Set<String> paths = Problems.seen();
    int index = 0;
    for (JsonNode mount : mounts) {
      String at = path + "[" + index + "]";
      String name = mount.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      }
      if (!volumes.contains(name)) {
        problems.add(FieldError.notFound(at + ".name", name));
      }
      String where = mount.path("mountPath").asString("");
      if (where.isEmpty()) {
        problems.required(at + ".mountPath");
      } else if (!paths.add(where)) {
        problems.invalid(at + ".mountPath", where, "must be unique");
      }
      if (mount.has("mountPropagation")) {
        problems.oneOf(
            path + ".mountPropagation",
            mount.path("mountPropagation"),
            List.of("Bidirectional", "HostToContainer", "None"));
      }
      if (mount.has("recursiveReadOnly")) {
        problems.oneOf(
            path + ".recursiveReadOnly",
            mount.path("recursiveReadOnly"),
            List.of("Disabled", "Enabled", "IfPossible"));
      }
      for (String field : List.of("subPath", "subPathExpr")) {
        String subPath = mount.path(field).asString("");
        if (subPath.startsWith("/")) {
          problems.invalid(at + "." + field, subPath, "must be a relative path");
        }
        if (List.of(subPath.split("/", -1)).contains("..")) {
          problems.invalid(at + "." + field, subPath, "must not contain '..'");
        }
      }
      index++;
    }
  }

  private void checkRestart(JsonNode container, String path) {
    JsonNode policy = container.path("restartPolicy");
    if (policy.isString()) {
      problems.oneOf(path + ".restartPolicy", policy, List.of("Always", "Never", "OnFailure"));
    }
  }

  private void checkDevices(JsonNode devices, String path) {
    int index = 0;
    for (JsonNode device : devices) {
      String at = path + "[" + index++ + "]";
      String name = device.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      }
      if (!volumes.contains(name)) {
        problems.add(FieldError.notFound(at + ".name", name));
      }
      if (device.path("devicePath").asString("").isEmpty()) {
        problems.required(at + ".devicePath");
      }
    }
  }

  private void checkResize(JsonNode policies, String path) {
    for (JsonNode policy : policies) {
      problems.requiredOneOf(path, policy.path("resourceName"), List.of("cpu", "memory"));
      problems.requiredOneOf(
          path, policy.path("restartPolicy"), List.of("NotRequired", "RestartContainer"));
    }
  }

  private void checkResources(JsonNode resources, String path) {
    JsonNode limits = resources.path("limits");
    for (Map.Entry<String, JsonNode> limit : limits.properties()) {
      String at = path + ".limits[" + limit.getKey() + "]";
      ResourceNameRules.checkContainer(limit.getKey(), at, problems);
      checkQuantity(at, limit.getValue());
    }
    for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
      String resource = request.getKey();
      ResourceNameRules.checkContainer(resource, path + ".requests[" + resource + "]", problems);
      Quantity asked = checkQuantity(path + ".requests[" + resource + "]", request.getValue());
      Quantity limit = Quantity.parseOrNull(limits.path(resource).asString(""));
      if (asked != null && limit != null && asked.compareTo(limit) > 0) {
        problems.invalid(
            path + ".requests",
            asked.toString(),
            "must be less than or equal to " + resource + " limit of " + limit);
      }
    }
  }

  private @Nullable Quantity checkQuantity(String path, JsonNode value) {
    Quantity quantity = Quantity.parseOrNull(value.asString(""));
    if (quantity == null) {
      problems.invalid(path, value, Quantity.PATTERN_PROBLEM);
    } else if (quantity.signum() < 0) {
      problems.invalid(path, quantity.toString(), Problems.NOT_NEGATIVE);
    }
    return quantity;
  }
}
