package io.fairlead.client.lease;

import io.fairlead.api.names.NodeReportLeases;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ResourceVersions;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What the policy component of a node reports in a Lease of its own: that it runs, and up to which
/// versions of objects the kernel enforces policies.
///
/// @param node whose
/// @param until when the report counts as stale, unless it is renewed before
/// @param bootId of the machine: a report of an earlier boot says nothing about the kernel now
/// @param gate whether pods are closed until their policies are in force
/// @param enforced the newest version the kernel shows, by plural: `pods`, `namespaces`,
///   `networkpolicies`
public record PolicyReport(
    String node, Instant until, String bootId, boolean gate, Map<String, String> enforced) {
  /// Where all of them are.
  public static final String NAMESPACE = NodeReport.NAMESPACE;

  /// What finds them.
  public static final String LABEL = "fairlead.dev/policy";

  private static final String ENFORCED = "fairlead.dev/enforced-";
  private static final String BOOT_ID = "fairlead.dev/boot-id";
  private static final String GATE = "fairlead.dev/gate";

  public PolicyReport {
    enforced = Map.copyOf(enforced);
  }

  /// Of a component that runs now.
  public static PolicyReport now(
      String node, String bootId, boolean gate, Map<String, String> enforced, Instant now) {
    return new PolicyReport(node, now.plusSeconds(NodeReport.LIFE_SECONDS), bootId, gate, enforced);
  }

  /// Where a node's report is.
  public static ObjectKey key(String node) {
    return new ObjectKey(NAMESPACE, NodeReportLeases.POLICY + node);
  }

  public static PolicyReport of(ObjectNode lease) {
    NodeReport report = NodeReport.of(lease);
    return new PolicyReport(
        report.node(),
        report.until(),
        report.annotations().getOrDefault(BOOT_ID, ""),
        report.annotations().getOrDefault(GATE, "").equals("on"),
        report.below(ENFORCED));
  }

  public boolean lives(Instant now) {
    return now.isBefore(until);
  }

  /// Whether the kernel shows that version of a kind, or a later one.
  public boolean shows(String plural, String version) {
    String reached = enforced.get(plural);
    return reached != null && ResourceVersions.compare(reached, version) >= 0;
  }

  /// As the Lease that says so.
  public ObjectNode toLease() {
    Map<String, String> annotations = new TreeMap<>();
    annotations.put(BOOT_ID, bootId);
    annotations.put(GATE, gate ? "on" : "off");
    enforced.forEach((kind, version) -> annotations.put(ENFORCED + kind, version));
    return new NodeReport(node, until, annotations).toLease(key(node), LABEL);
  }
}
