package io.fairlead.app.command;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.NodeNetworkOptions;
import io.fairlead.agent.RuntimeOptions;
import io.fairlead.agent.lifecycle.PolicyWaitMode;
import io.fairlead.agent.network.AddressPool;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.routes.RouteMode;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.server.ApiServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Turns flags into the options of an agent, and refuses what cannot be meant.
final class AgentOptionReader {
  private static final String UNIX = "unix://";
  private static final int CURRENT_MINOR =
      Integer.parseInt(FairleadVersion.KUBERNETES.substring("1.".length()));

  private final Arguments arguments;

  AgentOptionReader(Arguments arguments) {
    this.arguments = arguments;
  }

  /// The node of `up`; empty when it is to have none, or may have none without root.
  Optional<AgentOptions> forUp(DataDirectory directory, ApiServerConfig server) {
    String wanted = arguments.text("agent");
    boolean may = ProcessFacts.mayBeNode() || arguments.on("lab");
    if (wanted.equals("off") || (wanted.equals("auto") && !may)) {
      return Optional.empty();
    }
    return Optional.of(
        AgentOptions.of(
                UpNodeOptionReader.NAME,
                List.of(nodeAddress(server)),
                directory.agent(),
                version(server.emulatedMinor()))
            .podRanges(ranges("pod-cidr"))
            .clusterRanges(clusterRanges())
            .clusterDns(
                UpNodeOptionReader.dnsAddress(server).map(IpAddress::toString).stream().toList())
            .clusterDomain(server.clusterDomain())
            .maxPods(arguments.number("max-pods"))
            .runtime(runtime())
            .network(network())
            .componentLogs(Optional.of(directory.componentLogs()))
            .build());
  }

  /// The address of the node. A machine without any network has none but 127.0.0.1, which no
  /// Service may lead to and no pod can call; its pods know it by their gateway, which it gets in
  /// any case.
  private String nodeAddress(ApiServerConfig server) {
    String own = AdvertiseAddress.advertised("0.0.0.0");
    IpAddress bound = IpAddress.parseOrNull(server.bindAddress());
    if (!own.startsWith("127.") || bound == null || !bound.isLoopback()) {
      return own;
    }
    return ranges("pod-cidr").stream()
        .findFirst()
        .map(pods -> AddressPool.gateway(pods).toString())
        .orElse(own);
  }

  /// The ranges of all pods of `up`, of which this node's are a part.
  List<Cidr> clusterRanges() {
    List<Cidr> given = ranges("cluster-cidr");
    if (!given.isEmpty()) {
      return onePerFamily(given);
    }
    List<Cidr> pods = ranges("pod-cidr");
    List<Cidr> cluster = new ArrayList<>();
    Cidr every = Cidr.parse(Options.PODS);
    if (pods.stream().anyMatch(range -> every.contains(range))) {
      cluster.add(every);
    }
    pods.stream().filter(range -> !every.contains(range)).forEach(cluster::add);
    return cluster;
  }

  private List<Cidr> onePerFamily(List<Cidr> ranges) {
    if (ranges.stream().map(Cidr::family).distinct().count() < ranges.size()) {
      throw bad("cluster-cidr", "10.244.0.0/16, fd00:10:244::/56");
    }
    return ranges;
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
    return AgentOptions.of(
            arguments
                .find("hostname-override")
                .orElseGet(HostAddresses::hostName)
                .toLowerCase(Locale.ROOT),
            addresses.isEmpty() ? List.of(AdvertiseAddress.advertised("0.0.0.0")) : addresses,
            directory(),
            version(CURRENT_MINOR))
        .podRanges(ranges("pod-cidr"))
        .clusterRanges(ranges("cluster-cidr"))
        .clusterDns(addresses("cluster-dns"))
        .clusterDomain(arguments.text("cluster-domain"))
        .labels(labels)
        .maxPods(arguments.number("max-pods"))
        .resolvConf(arguments.path("resolv-conf").orElseThrow())
        .host(host())
        .runtime(runtime())
        .manifests(arguments.path("pod-manifest-path"))
        .network(network())
        .policyWait(PolicyWaitMode.valueOf(arguments.text("policy").toUpperCase(Locale.ROOT)))
        .build();
  }

  private NodeNetworkOptions network() {
    return new NodeNetworkOptions(
        RouteMode.of(arguments.text("route-mode")), arguments.path("cni-conf-dir"));
  }

  private RuntimeOptions runtime() {
    RuntimeOptions.Kind kind =
        switch (arguments.text("runtime")) {
          case "builtin" -> RuntimeOptions.Kind.BUILTIN;
          case "cri" -> RuntimeOptions.Kind.CRI;
          default -> RuntimeOptions.Kind.AUTO;
        };
    String cgroups = arguments.text("cgroup-root");
    if (!cgroups.startsWith("/") || cgroups.contains("..")) {
      throw bad("cgroup-root", "/, /fairlead");
    }
    String engine =
        arguments.find("container-runtime-endpoint").orElse(arguments.text("containerd"));
    if (engine.equals("private")) {
      return new RuntimeOptions(kind, Optional.empty(), cgroups);
    }
    String socket = engine.startsWith(UNIX) ? engine.substring(UNIX.length()) : engine;
    if (!socket.startsWith("/")) {
      throw bad("containerd", "private, " + RuntimeOptions.SOCKET);
    }
    return new RuntimeOptions(kind, Optional.of(Path.of(socket)), cgroups);
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
    return "v1." + minor + ".0+fairlead." + FairleadVersion.current();
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

  private FairleadException bad(String flag, String expected) {
    return new FairleadException(ErrorCode.FL303, "--" + flag, arguments.text(flag), expected);
  }
}
