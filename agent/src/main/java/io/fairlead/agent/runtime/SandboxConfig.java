package io.fairlead.agent.runtime;

import io.fairlead.client.ObjectKey;
import java.nio.file.Path;
import java.util.List;

/// What a new sandbox is to be like.
///
/// @param hostname what the pod's programs take for the machine's name
/// @param resolvConf the text of the pod's `/etc/resolv.conf`
/// @param directory where files of the pod are kept
public record SandboxConfig(
    ObjectKey pod,
    String podUid,
    int attempt,
    boolean hostNetwork,
    String hostname,
    String resolvConf,
    List<HostPort> hostPorts,
    long graceSeconds,
    Path directory,
    PodTraits traits) {
  public SandboxConfig {
    hostPorts = List.copyOf(hostPorts);
  }

  /// One without traits.
  public SandboxConfig(
      ObjectKey pod,
      String podUid,
      int attempt,
      boolean hostNetwork,
      String hostname,
      String resolvConf,
      List<HostPort> hostPorts,
      long graceSeconds,
      Path directory) {
    this(
        pod,
        podUid,
        attempt,
        hostNetwork,
        hostname,
        resolvConf,
        hostPorts,
        graceSeconds,
        directory,
        PodTraits.NONE);
  }

  /// A port of the node that leads to one of the pod.
  public record HostPort(String hostAddress, int hostPort, int containerPort, String protocol) {}
}
