package io.fairlead.client.lease;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NodeReportLeases;
import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What a component of a node reports in a Lease of its own: that it runs, and values in
/// annotations. [ProxyReport] and [PolicyReport] say what their values mean.
///
/// @param node whose
/// @param until when the component counts as gone, unless the report is renewed before
/// @param annotations of the Lease, by their whole names
record NodeReport(String node, Instant until, Map<String, String> annotations) {
  /// Where all of them are.
  static final String NAMESPACE = NodeReportLeases.NAMESPACE;

  static final int LIFE_SECONDS = 40;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  NodeReport {
    annotations = Map.copyOf(annotations);
  }

  static NodeReport of(ObjectNode lease) {
    Map<String, String> annotations = new TreeMap<>();
    Json.at(lease, "metadata", "annotations")
        .properties()
        .forEach(one -> annotations.put(one.getKey(), one.getValue().asString("")));
    return new NodeReport(
        Json.textOr(lease, "", "spec", "holderIdentity"),
        time(Json.textOr(lease, "", "spec", "renewTime"))
            .plusSeconds(lease.path("spec").path("leaseDurationSeconds").asLong(0)),
        annotations);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return Instant.EPOCH;
    }
  }

  /// The annotations whose names begin so, by the rest of their names.
  Map<String, String> below(String prefix) {
    Map<String, String> found = new TreeMap<>();
    annotations.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }

  /// As the Lease that says so.
  ///
  /// @param label finds the reports of such components
  ObjectNode toLease(ObjectKey key, String label) {
    ObjectNode lease =
        Json.object().put("kind", "Lease").put("apiVersion", "coordination.k8s.io/v1");
    ObjectNode metadata =
        lease.putObject("metadata").put("name", key.name()).put("namespace", key.namespace());
    metadata.putObject("labels").put(label, "true");
    ObjectNode written = metadata.putObject("annotations");
    new TreeMap<>(annotations).forEach(written::put);
    lease
        .putObject("spec")
        .put("holderIdentity", node)
        .put("leaseDurationSeconds", LIFE_SECONDS)
        .put("renewTime", MICROS.format(until.minusSeconds(LIFE_SECONDS)));
    return lease;
  }
}
