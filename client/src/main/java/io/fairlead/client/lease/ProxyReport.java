package io.fairlead.client.lease;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NodeReportLeases;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ResourceVersions;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy of a node says of itself in a Lease of its own: that it lives, and up to which
/// version of EndpointSlices its rules go. A component that must know that no proxy sends new
/// connections to an endpoint any more reads these.
///
/// @param node whose proxy
/// @param until when it counts as gone, unless it says something before
/// @param written the newest version in the rules, by address type (`IPv4`, `IPv6`); a type that is
///   not there has no rules on that node
/// @param nodeApi the fingerprint of the certificate that its own node API shows, SHA-256 in
///   hexadecimal; empty where it has none
public record ProxyReport(String node, Instant until, Map<String, String> written, String nodeApi) {
  /// Where all of them are.
  public static final String NAMESPACE = NodeReport.NAMESPACE;

  /// What finds them.
  public static final String LABEL = "fairlead.dev/proxy";

  private static final String WRITTEN = "fairlead.dev/written-";
  private static final String NODE_API = "fairlead.dev/node-api-certificate-sha256";

  public ProxyReport {
    written = Map.copyOf(written);
  }

  /// Of a proxy that lives now.
  public static ProxyReport now(String node, Map<String, String> written, Instant now) {
    return new ProxyReport(node, now.plusSeconds(NodeReport.LIFE_SECONDS), written, "");
  }

  /// The same of a proxy with a node API of its own.
  public ProxyReport withNodeApi(String fingerprint) {
    return new ProxyReport(node, until, written, fingerprint);
  }

  /// Where a node's report is.
  public static ObjectKey key(String node) {
    return new ObjectKey(NAMESPACE, NodeReportLeases.PROXY + node);
  }

  public static ProxyReport of(ObjectNode lease) {
    NodeReport report = NodeReport.of(lease);
    return new ProxyReport(
        report.node(),
        report.until(),
        report.below(WRITTEN),
        report.annotations().getOrDefault(NODE_API, ""));
  }

  /// When it was said.
  public Instant heard() {
    return until.minusSeconds(NodeReport.LIFE_SECONDS);
  }

  public boolean lives(Instant now) {
    return now.isBefore(until);
  }

  /// Whether the rules of that node show a slice of that version, or have no place for it.
  public boolean shows(String addressType, String version) {
    String reached = written.get(addressType);
    return reached == null || ResourceVersions.compare(reached, version) >= 0;
  }

  /// As the Lease that says so.
  public ObjectNode toLease() {
    Map<String, String> annotations = new TreeMap<>();
    written.forEach((type, version) -> annotations.put(WRITTEN + type, version));
    ObjectNode lease = new NodeReport(node, until, annotations).toLease(key(node), LABEL);
    // Null in a patch takes away what an earlier process left.
    Json.child(lease, "metadata")
        .withObject("annotations")
        .put(NODE_API, nodeApi.isEmpty() ? null : nodeApi);
    return lease;
  }
}
