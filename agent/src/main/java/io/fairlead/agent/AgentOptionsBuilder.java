package io.fairlead.agent;

import io.fairlead.agent.lifecycle.PolicyWaitMode;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.api.net.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gathers what is to be unlike a plain node in [AgentOptions], which says what each is for. For
/// one thread.
public final class AgentOptionsBuilder {
  private final String nodeName;
  private final List<String> addresses;
  private final Path directory;
  private final String version;
  private List<Cidr> podRanges = List.of();
  private List<Cidr> clusterRanges = List.of();
  private List<String> clusterDns = List.of();
  private String clusterDomain = "cluster.local";
  private Map<String, String> labels = Map.of();
  private int maxPods = 110;
  private Path resolvConf = Path.of("/etc/resolv.conf");
  private HostNamespace host = HostNamespace.OWN;
  private RuntimeOptions runtime = RuntimeOptions.NO_ENGINE;
  private Optional<Path> manifests = Optional.empty();
  private NodeNetworkOptions network = NodeNetworkOptions.STANDARD;
  private PolicyWaitMode policyWait = PolicyWaitMode.OFF;
  private Optional<Path> componentLogs = Optional.empty();

  AgentOptionsBuilder(String nodeName, List<String> addresses, Path directory, String version) {
    this.nodeName = nodeName;
    this.addresses = addresses;
    this.directory = directory;
    this.version = version;
  }

  public AgentOptionsBuilder podRanges(List<Cidr> podRanges) {
    this.podRanges = podRanges;
    return this;
  }

  public AgentOptionsBuilder clusterRanges(List<Cidr> clusterRanges) {
    this.clusterRanges = clusterRanges;
    return this;
  }

  public AgentOptionsBuilder clusterDns(List<String> clusterDns) {
    this.clusterDns = clusterDns;
    return this;
  }

  public AgentOptionsBuilder clusterDomain(String clusterDomain) {
    this.clusterDomain = clusterDomain;
    return this;
  }

  public AgentOptionsBuilder labels(Map<String, String> labels) {
    this.labels = labels;
    return this;
  }

  public AgentOptionsBuilder maxPods(int maxPods) {
    this.maxPods = maxPods;
    return this;
  }

  public AgentOptionsBuilder resolvConf(Path resolvConf) {
    this.resolvConf = resolvConf;
    return this;
  }

  public AgentOptionsBuilder host(HostNamespace host) {
    this.host = host;
    return this;
  }

  public AgentOptionsBuilder runtime(RuntimeOptions runtime) {
    this.runtime = runtime;
    return this;
  }

  public AgentOptionsBuilder manifests(Optional<Path> manifests) {
    this.manifests = manifests;
    return this;
  }

  public AgentOptionsBuilder network(NodeNetworkOptions network) {
    this.network = network;
    return this;
  }

  public AgentOptionsBuilder policyWait(PolicyWaitMode policyWait) {
    this.policyWait = policyWait;
    return this;
  }

  public AgentOptionsBuilder componentLogs(Optional<Path> componentLogs) {
    this.componentLogs = componentLogs;
    return this;
  }

  public AgentOptions build() {
    return new AgentOptions(
        nodeName,
        addresses,
        podRanges,
        clusterRanges,
        clusterDns,
        clusterDomain,
        labels,
        maxPods,
        resolvConf,
        directory,
        host,
        version,
        runtime,
        manifests,
        network,
        policyWait,
        componentLogs);
  }
}
