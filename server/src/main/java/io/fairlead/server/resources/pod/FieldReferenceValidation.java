package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Checks references to fields of the pod and to resources of its containers, in environments and
/// in files.
final class FieldReferenceValidation {
  private static final Set<String> KNOWN =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.hostNetwork",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.schedulerName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.nominatedNodeName",
          "status.phase",
          "status.podIP",
          "status.podIPs");
  private static final List<String> IN_ENVIRONMENT =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  private static final List<String> IN_FILES =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");
  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");
  private static final Set<String> CPU_DIVISORS = Set.of("0", "1m", "1");
  private static final Set<String> BYTE_DIVISORS =
      Set.of(
          "0", "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
  private static final String BYTE_TEXT =
      "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported"
          + " with the ";

  private FieldReferenceValidation() {}

  static void checkField(JsonNode reference, boolean file, String path, Problems problems) {
    String field = reference.path("fieldPath").asString("");
    if (reference.path("apiVersion").asString("").isEmpty()) {
      problems.required(path + ".apiVersion");
    } else if (field.isEmpty()) {
      problems.required(path + ".fieldPath");
    } else if (field.endsWith("']") && field.contains("['")) {
      checkKeyed(field, path, problems);
    } else if (!KNOWN.contains(field)) {
      problems.invalid(
          path + ".fieldPath",
          field,
          "error converting fieldPath: field label not supported: " + field);
    } else {
      problems.oneOf(
          path + ".fieldPath", reference.path("fieldPath"), file ? IN_FILES : IN_ENVIRONMENT);
    }
  }

  private static void checkKeyed(String field, String path, Problems problems) {
    int open = field.indexOf("['");
    String map = field.substring(0, open);
    String key = field.substring(open + 2, field.length() - 2);
    switch (map) {
      case "metadata.annotations" -> problems.each(path, key, NameValidation.annotationKey(key));
      case "metadata.labels" -> problems.each(path, key, NameValidation.qualifiedName(key));
      default -> problems.invalid(path, map, "does not support subscript");
    }
  }

  /// @param file whether it must name its container
  static void checkResource(JsonNode reference, boolean file, String path, Problems problems) {
    String resource = reference.path("resource").asString("");
    if (file && reference.path("containerName").asString("").isEmpty()) {
      problems.required(path + ".containerName");
    } else if (resource.isEmpty()) {
      problems.required(path + ".resource");
    } else if (!resource.startsWith("limits.hugepages-")
        && !resource.startsWith("requests.hugepages-")) {
      problems.oneOf(path + ".resource", reference.path("resource"), RESOURCES);
    }
    Quantity divisor = Quantity.parseOrNull(reference.path("divisor").asString("0"));
    String given = divisor == null ? "0" : divisor.toString();
    if (resource.endsWith(".cpu") && !CPU_DIVISORS.contains(given)) {
      problems.invalid(
          path + ".divisor",
          resource,
          "only divisor's values 1m and 1 are supported with the cpu resource");
    } else if (resource.endsWith(".memory") && !BYTE_DIVISORS.contains(given)) {
      problems.invalid(path + ".divisor", resource, BYTE_TEXT + "memory resource");
    } else if (resource.endsWith(".ephemeral-storage") && !BYTE_DIVISORS.contains(given)) {
      problems.invalid(path + ".divisor", resource, BYTE_TEXT + "local ephemeral storage resource");
    }
  }
}
