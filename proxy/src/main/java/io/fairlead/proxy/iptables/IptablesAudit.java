package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Holds the rules of some service ports against the plan for them. Comments that a large cluster
/// leaves out are no difference.
public final class IptablesAudit {
  private final Map<String, SavedTable> saved;
  private final List<String> missing = new ArrayList<>();
  private final List<String> extra = new ArrayList<>();

  private IptablesAudit(Map<String, SavedTable> saved) {
    this.saved = saved;
  }

  /// @param plan the service ports asked for, and no others
  /// @throws io.fairlead.proxy.core.DataPlaneException when the tools fail
  public static AuditReport of(IptablesRunner tool, Plan plan) {
    String nat = tool.save(FixedRules.NAT);
    Map<String, SavedTable> saved = new HashMap<>();
    saved.put(FixedRules.NAT, SavedTable.parse(nat));
    saved.put(FixedRules.FILTER, SavedTable.parse(tool.save(FixedRules.FILTER)));
    IptablesAudit audit = new IptablesAudit(saved);
    if (!audit.table(FixedRules.NAT).chains().containsKey(SharedChain.NAT_SERVICES.chain())) {
      return AuditReport.absent();
    }
    IptablesSettings settings =
        IptablesSettings.standard()
            .withAccounting(nat.contains(IptablesSettings.LOCALHOST_COUNTER));
    for (ServicePlan service : plan.sorted()) {
      audit.check(service, plan, settings);
    }
    return new AuditReport(
        true,
        audit.missing,
        audit.extra,
        IptablesSnapshotReader.read(tool, plan, settings).traffic());
  }

  private SavedTable table(String name) {
    return saved.getOrDefault(name, new SavedTable(Map.of(), List.of()));
  }

  private void check(ServicePlan service, Plan plan, IptablesSettings settings) {
    IptablesRenderer rules = new IptablesRenderer(service, plan.node(), settings, true);
    SharedChainEntries entries = rules.entries();
    for (SharedChain chain : SharedChain.values()) {
      List<String> actual =
          table(chain.table()).chains().getOrDefault(chain.chain(), List.of()).stream()
              .filter(rule -> mentions(rule, service))
              .toList();
      compare(chain.chain(), entries.of(chain), actual);
    }
    Map<String, List<String>> bare =
        new IptablesRenderer(service, plan.node(), settings, false).ownChains();
    rules
        .ownChains()
        .forEach(
            (chain, own) -> {
              List<String> actual = table(FixedRules.NAT).chains().getOrDefault(chain, List.of());
              if (!normal(bare.getOrDefault(chain, List.of())).equals(actual)) {
                compare(chain, own, actual);
              }
            });
  }

  /// In normal form a rule begins with its comment, and that with the name of its service port.
  private static boolean mentions(String rule, ServicePlan service) {
    String name = '"' + service.name().displayName();
    return (rule.startsWith(name + '"') || rule.startsWith(name + ' '))
        && rule.contains(" -p " + service.port().protocol().lower() + " ");
  }

  private void compare(String chain, List<String> expected, List<String> actual) {
    List<String> wanted = normal(expected);
    for (int i = 0; i < wanted.size(); i++) {
      if (!actual.contains(wanted.get(i))) {
        missing.add("-A " + chain + " " + expected.get(i));
      }
    }
    for (String rule : actual) {
      if (!wanted.contains(rule)) {
        extra.add("-A " + chain + " " + rule);
      }
    }
  }

  private static List<String> normal(List<String> rules) {
    return rules.stream().map(RuleNormalizer::normal).toList();
  }
}
