package io.fairlead.app.command;

import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.proxy.core.Audit;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.mode.Modes;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/// `fairlead rules svc/NAME --diff`: what the kernel of this machine has for a Service against what
/// the API says it should have, in whichever mode a proxy has written there.
final class RulesDifference {
  private final Context context;

  RulesDifference(Context context) {
    this.context = context;
  }

  /// @param plans the plan of the Service alone, by mode and family
  /// @return the exit code
  int print(Function<String, Function<IpAddress.Family, Plan>> plans) {
    boolean present = false;
    boolean agrees = true;
    for (String mode : List.of(Modes.NFTABLES, Modes.IPTABLES)) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        Plan plan = plans.apply(mode).apply(family);
        if (plan.services().size() == 0) {
          continue;
        }
        Audit audit = audit(mode, plan);
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
    return present && agrees ? Exit.FINE : Exit.FAULT_FOUND;
  }

  private static Audit audit(String mode, Plan plan) {
    try {
      return Modes.audit(mode, plan);
    } catch (DataPlaneException e) {
      throw new Problem(Code.FL201, e, mode, String.valueOf(e.getMessage()));
    }
  }

  private void print(String mode, IpAddress.Family family, Audit audit) {
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
