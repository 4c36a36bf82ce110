package io.fairlead.insight.gather;

import io.fairlead.api.net.IpAddress;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.mode.ProxyModes;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.node.NodeFactsBuilder;
import io.fairlead.proxy.node.ProxyNodeObject;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// This machine as a node: what its running proxy works with, and what its kernel has.
///
/// @param node its name
/// @param mode how its proxy carries traffic
/// @param configuration what the proxy works with
/// @param object its Node in the API, if it has one
public record ThisMachine(
    String node,
    ProxyMode mode,
    ProxyConfiguration configuration,
    Optional<ProxyNodeObject> object) {

  /// What the proxy should do with a Service, in one family and mode.
  public Plan plan(
      ProxyMode asked, IpAddress.Family family, ObjectNode service, List<ObjectNode> slices) {
    NodeFacts facts =
        new NodeFactsBuilder(configuration, asked, node, HostAddresses.now())
            .facts(family, object.orElse(null), List.of());
    Planner planner = new Planner(facts, Instant.EPOCH);
    planner.put(ServiceObject.of(service));
    slices.forEach(slice -> planner.put(SliceObject.of(slice)));
    return planner.plan().plan();
  }

  /// What the kernel has against what it should have. It takes root; the modes userspace and ipvs
  /// cannot be compared so.
  Evidence<RulesReport> rules(ServiceFacts service, List<ObjectNode> slices, Instant now) {
    if (mode != ProxyMode.NFTABLES && mode != ProxyMode.IPTABLES) {
      return new Unseen<>(new Why.NoNodeApi(), node);
    }
    List<RulesReport.FamilyAudit> audits = new ArrayList<>();
    try {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        Plan plan = plan(mode, family, service.object(), slices);
        if (plan.services().size() == 0) {
          continue;
        }
        AuditReport audit = ProxyModes.audit(mode, plan);
        audits.add(
            new RulesReport.FamilyAudit(
                family.toString(), audit.present(), audit.missing(), audit.extra()));
      }
    } catch (DataPlaneException e) {
      return new Unseen<>(new Why.NoRights(), node);
    }
    return new Seen<>(new RulesReport(mode.toString(), audits), Source.KERNEL, node, now);
  }
}
