package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Checks the security contexts of pods and containers.
final class PodSecurityValidation {
  private static final String SYSCTL_TEXT =
      "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
  // The parts are matched possessively, so that no name takes long.
  private static final Pattern SYSCTL =
      Pattern.compile("[a-z0-9]++(?:[-_]++[a-z0-9]++)*+(?:[./][a-z0-9]++(?:[-_]++[a-z0-9]++)*+)*+");
  private static final int MAX_SYSCTL = 253;

  private PodSecurityValidation() {}

  static void checkPod(JsonNode context, String path, Problems problems) {
    checkId(context.path("fsGroup"), path + ".fsGroup", problems);
    checkId(context.path("runAsUser"), path + ".runAsUser", problems);
    checkId(context.path("runAsGroup"), path + ".runAsGroup", problems);
    int index = 0;
    for (JsonNode group : context.path("supplementalGroups")) {
      checkId(group, path + ".supplementalGroups[" + index + "]", problems);
      index++;
    }
    Set<String> seen = Problems.seen();
    index = 0;
    for (JsonNode sysctl : context.path("sysctls")) {
      checkSysctl(
          sysctl.path("name").asString(""), path + ".sysctls[" + index + "].name", seen, problems);
      index++;
    }
    JsonNode change = context.path("fsGroupChangePolicy");
    if (change.isString()) {
      problems.oneOf(path + ".fsGroupChangePolicy", change, List.of("Always", "OnRootMismatch"));
    }
    checkSeccomp(context.path("seccompProfile"), path + ".seccompProfile", problems);
    checkAppArmor(context.path("appArmorProfile"), path + ".appArmorProfile", problems);
    JsonNode groups = context.path("supplementalGroupsPolicy");
    if (groups.isString()) {
      problems.oneOf(path + ".supplementalGroupsPolicy", groups, List.of("Merge", "Strict"));
    }
  }

  static void checkContainer(JsonNode context, String path, Problems problems) {
    checkId(context.path("runAsUser"), path + ".runAsUser", problems);
    checkId(context.path("runAsGroup"), path + ".runAsGroup", problems);
    JsonNode mount = context.path("procMount");
    if (mount.isString()) {
      problems.oneOf(path + ".procMount", mount, List.of("Default", "Unmasked"));
    }
    checkSeccomp(context.path("seccompProfile"), path + ".seccompProfile", problems);
    checkAppArmor(context.path("appArmorProfile"), path + ".appArmorProfile", problems);
    JsonNode escalation = context.path("allowPrivilegeEscalation");
    if (escalation.isBoolean()
        && !escalation.asBoolean()
        && context.path("privileged").asBoolean(false)) {
      problems.invalid(
          path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
    }
  }

  private static void checkId(JsonNode id, String path, Problems problems) {
    if (id.isNumber() && (id.asLong(0) < 0 || id.asLong(0) > Integer.MAX_VALUE)) {
      problems.invalid(path, id, NameValidation.between(0, Integer.MAX_VALUE));
    }
  }

  private static void checkSysctl(String name, String path, Set<String> seen, Problems problems) {
    if (name.isEmpty()) {
      problems.required(path);
    } else if (name.length() > MAX_SYSCTL || !SYSCTL.matcher(name).matches()) {
      problems.invalid(
          path,
          name,
          "must have at most " + MAX_SYSCTL + " characters and match regex " + SYSCTL_TEXT);
    } else {
      problems.unique(path, name.replace('/', '.'), seen);
    }
  }

  private static void checkAppArmor(JsonNode profile, String path, Problems problems) {
    if (!profile.isObject()) {
      return;
    }
    JsonNode local = profile.path("localhostProfile");
    String type = profile.path("type").asString("");
    if (type.equals("Localhost")) {
      if (local.asString("").strip().isEmpty()) {
        problems.required(
            path + ".localhostProfile", "must be set when AppArmor type is Localhost");
      }
      return;
    }
    if (type.isEmpty()) {
      problems.required(path + ".type", "type is required when appArmorProfile is set");
    } else {
      problems.oneOf(
          path + ".type",
          profile.path("type"),
          List.of("Localhost", "RuntimeDefault", "Unconfined"));
    }
    if (local.isString()) {
      problems.invalid(
          path + ".localhostProfile", local, "can only be set when AppArmor type is Localhost");
    }
  }

  private static void checkSeccomp(JsonNode profile, String path, Problems problems) {
    if (!profile.isObject()) {
      return;
    }
    String type = profile.path("type").asString("");
    switch (type) {
      case "Localhost" -> {
        if (profile.path("localhostProfile").asString("").isEmpty()) {
          problems.required(
              path + ".localhostProfile", "must be set when seccomp type is Localhost");
        }
      }
      case "RuntimeDefault", "Unconfined" -> {
        if (profile.has("localhostProfile")) {
          onlyOfLocalhost(profile, path, problems);
        }
      }
      default -> {
        if (type.isEmpty()) {
          problems.required(path + ".type", "type is required when seccompProfile is set");
        } else {
          problems.oneOf(
              path + ".type",
              profile.path("type"),
              List.of("Localhost", "RuntimeDefault", "Unconfined"));
        }
        if (profile.has("localhostProfile")) {
          onlyOfLocalhost(profile, path, problems);
        }
      }
    }
  }

  private static void onlyOfLocalhost(JsonNode profile, String path, Problems problems) {
    problems.invalid(
        path + ".localhostProfile",
        GoForm.internal(profile, "io.k8s.api.core.v1.SeccompProfile"),
        "can only be set when seccomp type is Localhost");
  }
}
