package io.fairlead.agent.containerd;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.kernel.process.CommandRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes away the chains that the engine's port mapper (the CNI plugin `portmap`) leaves on the
/// node when no pod has a port of the node any more. While one has, they stay.
final class PortmapChains {
  private static final Logger log = LoggerFactory.getLogger(PortmapChains.class);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String SHARED = "CNI-HOSTPORT-";
  private static final String OF_A_POD = ":CNI-DN-";

  private PortmapChains() {}

  static void remove(HostNamespace host) {
    CommandRunner tool =
        host.inside()
            .map(one -> CommandRunner.inside(one, LIMIT))
            .orElseGet(() -> CommandRunner.here(LIMIT));
    for (String family : List.of("iptables", "ip6tables")) {
      if (CommandRunner.find(family + "-save").isEmpty()) {
        continue;
      }
      CommandRunner.Result saved = tool.run("", List.of(family + "-save", "-t", "nat"));
      String removal = removal(saved.output());
      if (saved.succeeded() && !removal.isEmpty()) {
        CommandRunner.Result done =
            tool.run(removal, List.of(family + "-restore", "-w", "--noflush"));
        if (!done.succeeded()) {
          log.atWarn()
              .addKeyValue("why", done.error().strip())
              .log("chains of the port mapper are left");
        }
      }
    }
  }

  /// What `iptables-restore` has to do to make those chains go; empty when there are none, or they
  /// are in use.
  static String removal(String saved) {
    List<String> chains = new ArrayList<>();
    List<String> jumps = new ArrayList<>();
    for (String line : saved.lines().toList()) {
      if (line.startsWith(OF_A_POD)) {
        return "";
      }
      if (line.startsWith(":" + SHARED)) {
        chains.add(line.substring(1, line.indexOf(' ')));
      } else if (line.startsWith("-A ") && line.contains("-j " + SHARED)) {
        jumps.add("-D " + line.substring(3));
      }
    }
    if (chains.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("*nat\n");
    jumps.forEach(jump -> text.append(jump).append('\n'));
    chains.forEach(chain -> text.append("-F ").append(chain).append('\n'));
    chains.forEach(chain -> text.append("-X ").append(chain).append('\n'));
    return text.append("COMMIT\n").toString();
  }
}
