package io.fairlead.client.lease;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.Versions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy of a node says of itself in a Lease of its own: that it lives, and up to which
/// version of EndpointSlices its rules go. Whoever must know that no proxy sends new connections to
/// an endpoint any more reads these.
///
/// @param node whose proxy
/// @param until when it counts as gone, unless it says something before
/// @param written the newest version in the rules, by address type (`IPv4`, `IPv6`); a type that is
///   not there has no rules on that node
public record ProxyReport(String node, Instant until, Map<String, String> written) {
  /// Where all of them are.
  public static final String NAMESPACE = "kube-public";

  /// What finds them.
  public static final String LABEL = "fairlead.dev/proxy";

  private static final String WRITTEN = "fairlead.dev/written-";
  private static final int LIFE_SECONDS = 40;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  public ProxyReport {
    written = Map.copyOf(written);
  }

  /// Of a proxy that lives now.
  public static ProxyReport now(String node, Map<String, String> written, Instant now) {
    return new ProxyReport(node, now.plusSeconds(LIFE_SECONDS), written);
  }

  /// Where a node's report is.
  public static ObjectKey key(String node) {
    return new ObjectKey(NAMESPACE, "fairlead-proxy-" + node);
  }

  public static ProxyReport of(ObjectNode lease) {
    Map<String, String> written = new TreeMap<>();
    Json.at(lease, "metadata", "annotations")
        .properties()
        .forEach(
            one -> {
              if (one.getKey().startsWith(WRITTEN)) {
                written.put(one.getKey().substring(WRITTEN.length()), one.getValue().asString(""));
              }
            });
    return new ProxyReport(
        Json.textOr(lease, "", "spec", "holderIdentity"),
        time(Json.textOr(lease, "", "spec", "renewTime"))
            .plusSeconds(lease.path("spec").path("leaseDurationSeconds").asLong(0)),
        written);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return Instant.EPOCH;
    }
  }

  public boolean lives(Instant now) {
    return now.isBefore(until);
  }

  /// Whether the rules of that node show a slice of that version, or have no place for it.
  public boolean shows(String addressType, String version) {
    String reached = written.get(addressType);
    return reached == null || Versions.compare(reached, version) >= 0;
  }

  /// As the Lease that says so.
  public ObjectNode toLease() {
    ObjectNode lease =
        Json.object().put("kind", "Lease").put("apiVersion", "coordination.k8s.io/v1");
    ObjectNode metadata =
        lease.putObject("metadata").put("name", key(node).name()).put("namespace", NAMESPACE);
    metadata.putObject("labels").put(LABEL, "true");
    ObjectNode annotations = metadata.putObject("annotations");
    new TreeMap<>(written).forEach((type, version) -> annotations.put(WRITTEN + type, version));
    lease
        .putObject("spec")
        .put("holderIdentity", node)
        .put("leaseDurationSeconds", LIFE_SECONDS)
        .put("renewTime", MICROS.format(until.minusSeconds(LIFE_SECONDS)));
    return lease;
  }
}
