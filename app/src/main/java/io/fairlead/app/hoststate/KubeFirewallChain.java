package io.fairlead.app.hoststate;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.proxy.iptables.IptablesVariantDetector;
import java.time.Duration;
import java.util.List;

/// The chain that the iptables mode shares with a kubelet. The mode leaves it when it goes, for a
/// kubelet may need it; where none was before, no component does.
final class KubeFirewallChain {
  static final String NAME = "KUBE-FIREWALL";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private KubeFirewallChain() {}

  static void removeNew(List<String> rulesBefore) {
    if (has(rulesBefore) || !has(Ruleset.now())) {
      return;
    }
    for (Iptables.Family family : Iptables.Family.values()) {
      try {
        Iptables tool = IptablesVariantDetector.of(family, CommandRunner.here(LIMIT));
        for (String from : List.of("INPUT", "OUTPUT")) {
          tool.command(List.of("-t", "filter", "-D", from, "-j", NAME));
        }
        tool.command(List.of("-t", "filter", "-F", NAME));
        tool.command(List.of("-t", "filter", "-X", NAME));
      } catch (CommandRunnerException e) {
        // The look at the rules afterwards tells what is left.
        continue;
      }
    }
  }

  private static boolean has(List<String> rules) {
    return rules.stream().anyMatch(line -> line.contains(NAME));
  }
}
