package io.fairlead.app.command;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.cli.Version;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.proxy.node.LocalAddresses;
import io.fairlead.server.ApiServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Turns flags into the options of an agent, and refuses what cannot be meant.
final class AgentOptionReader {
  private static final String EVERY_POD = "10.244.0.0/16";
  private static final int PODS = 110;
  private static final int DNS_OFFSET = 10;

  private final Arguments arguments;

  AgentOptionReader(Arguments arguments) {
    this.arguments = arguments;
  }

  /// The node of `up`; empty when it is to have none, or may have none without root.
  Optional<AgentOptions> forUp(DataDirectory directory, ApiServerConfig server) {
    String wanted = arguments.text("agent");
    if (wanted.equals("off") || (wanted.equals("auto") && !root())) {
      return Optional.empty();
    }
    List<Cidr> pods = ranges("pod-cidr");
    List<Cidr> cluster = new ArrayList<>(pods);
    Cidr every = Cidr.parse(EVERY_POD);
    if (pods.stream().anyMatch(range -> every.contains(range))) {
      cluster.add(every);
    }
    Cidr services = Cidr.parse(server.services().cidrs().getFirst()).masked();
    return Optional.of(
        new AgentOptions(
            "fairlead",
            List.of(Addresses.advertised("0.0.0.0")),
            pods,
            cluster,
            services.size() > DNS_OFFSET ? List.of(services.at(DNS_OFFSET).toString()) : List.of(),
            server.clusterDomain(),
            Map.of(),
            PODS,
            Path.of("/etc/resolv.conf"),
            directory.root().resolve("agent"),
            HostNamespace.OWN,
            version(server.emulatedMinor())));
  }

  /// The node of `agent`.
  AgentOptions forAgent() {
    List<String> addresses = addresses("node-ip");
    Map<String, String> labels = new TreeMap<>();
    for (String label : arguments.list("node-labels")) {
      int equals = label.indexOf('=');
      if (equals <= 0) {
        throw bad("node-labels", "disk=fast,zone=a");
      }
      labels.put(label.substring(0, equals), label.substring(equals + 1));
    }
    return new AgentOptions(
        arguments
            .find("hostname-override")
            .orElseGet(LocalAddresses::hostName)
            .toLowerCase(Locale.ROOT),
        addresses.isEmpty() ? List.of(Addresses.advertised("0.0.0.0")) : addresses,
        ranges("pod-cidr"),
        ranges("cluster-cidr"),
        addresses("cluster-dns"),
        arguments.text("cluster-domain"),
        labels,
        arguments.number("max-pods"),
        arguments.path("resolv-conf").orElseThrow(),
        directory(),
        host(),
        version(34));
  }

  Path directory() {
    return arguments.path("root-dir").orElseThrow();
  }

  HostNamespace host() {
    return arguments
        .find("netns")
        .map(
            name -> {
              NetworkNamespace namespace = new NetworkNamespace(name);
              if (!namespace.exists()) {
                throw bad("netns", "ip netns list");
              }
              return HostNamespace.of(namespace);
            })
        .orElse(HostNamespace.OWN);
  }

  private static String version(int minor) {
    return "v1." + minor + ".0+fairlead." + Version.current();
  }

  private List<Cidr> ranges(String flag) {
    List<Cidr> ranges = new ArrayList<>();
    for (String text : arguments.list(flag)) {
      Cidr range = Cidr.parseOrNull(text);
      if (range == null || !range.isMasked()) {
        throw bad(flag, "10.244.1.0/24, fd00:10:244:1::/64");
      }
      ranges.add(range);
    }
    return ranges;
  }

  private List<String> addresses(String flag) {
    List<String> texts = arguments.list(flag);
    for (String text : texts) {
      if (IpAddress.parseOrNull(text) == null) {
        throw bad(flag, "192.168.1.10, fd00::10");
      }
    }
    return texts;
  }

  private Problem bad(String flag, String expected) {
    return new Problem(Code.FL303, "--" + flag, arguments.text(flag), expected);
  }

  /// Whether this process may change the network.
  static boolean root() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
