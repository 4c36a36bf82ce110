package io.fairlead.app.command;

import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.mode.ProxyModes;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/// `fairlead rules svc/NAME --diff`: what the kernel of this machine has for a Service against what
/// the API says it should have, in whichever mode a proxy has written there.
final class RulesDifference {
  private final CommandContext context;

  RulesDifference(CommandContext context) {
    this.context = context;
  }

  /// @param plans the plan of the Service alone, by mode and family
  /// @return the exit code
  int print(Function<ProxyMode, Function<IpAddress.Family, Plan>> plans) {
    boolean present = false;
    boolean agrees = true;
    for (ProxyMode mode : List.of(ProxyMode.NFTABLES, ProxyMode.IPTABLES)) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        Plan plan = plans.apply(mode).apply(family);
        if (plan.services().size() == 0) {
          continue;
        }
        AuditReport audit = audit(mode, plan);
        if (audit.present()) {
          present = true;
          agrees &= audit.agrees();
          print(mode, family, audit);
        }
      }
    }
    if (!present) {
      context.terminal().out().println(context.text("rules.absent"));
    }
    return present && agrees ? ExitCode.FINE : ExitCode.FAULT_FOUND;
  }

  private static AuditReport audit(ProxyMode mode, Plan plan) {
    try {
      return ProxyModes.audit(mode, plan);
    } catch (DataPlaneException e) {
      throw new FairleadException(
          ErrorCode.FL201, e, mode.toString(), String.valueOf(e.getMessage()));
    }
  }

  private void print(ProxyMode mode, IpAddress.Family family, AuditReport audit) {
    PrintStream out = context.terminal().out();
    String connections = Long.toString(audit.connections());
    if (audit.agrees()) {
      out.println(context.text("rules.same", mode, family, connections));
      return;
    }
    int places = audit.missing().size() + audit.extra().size();
    out.println(context.text("rules.differs", mode, family, places, connections));
    audit.missing().forEach(line -> out.println("- " + line));
    audit.extra().forEach(line -> out.println("+ " + line));
  }
}
