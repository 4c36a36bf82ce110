package io.fairlead.proxy.iptables;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Iptables.Variant;
import java.util.List;

/// Which variant of the tools to use where both are installed. Rules of the two do not see each
/// other, so a proxy must use the one that the rest of the node uses: the node's agent leaves a
/// chain for others to find. Without such a hint it is whatever `iptables` stands for.
public final class IptablesVariantDetector {
  private static final List<String> HINTS =
      List.of(":KUBE-IPTABLES-HINT ", ":KUBE-KUBELET-CANARY ");

  private IptablesVariantDetector() {}

  /// The tools of a family, to run with that runner.
  public static Iptables of(Iptables.Family family, CommandRunner tool) {
    Iptables legacy = new Iptables(family, tool, Variant.LEGACY);
    Iptables nftables = new Iptables(family, tool, Variant.NFTABLES);
    if (legacy.isInstalled() && nftables.isInstalled()) {
      if (hinted(nftables)) {
        return nftables;
      }
      if (hasLegacyTable(family, tool) && hinted(legacy)) {
        return legacy;
      }
    }
    return new Iptables(family, tool);
  }

  private static boolean hinted(Iptables iptables) {
    try {
      CommandRunner.Result result = iptables.save(FixedRules.MANGLE);
      return result.succeeded() && HINTS.stream().anyMatch(result.output()::contains);
    } catch (CommandRunnerException e) {
      return false;
    }
  }

  /// The legacy tool makes a table by looking at it, which a mere question should not do.
  private static boolean hasLegacyTable(Iptables.Family family, CommandRunner tool) {
    String names =
        switch (family) {
          case IPV4 -> "/proc/net/ip_tables_names";
          case IPV6 -> "/proc/net/ip6_tables_names";
        };
    CommandRunner.Result result = tool.run("", List.of("cat", names));
    return result.succeeded() && result.output().lines().anyMatch(FixedRules.MANGLE::equals);
  }
}
