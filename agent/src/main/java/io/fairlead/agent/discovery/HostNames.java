package io.fairlead.agent.discovery;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;

/// What a pod is called.
///
/// @param name the first label
/// @param domain what follows it; empty when the pod is in no subdomain
/// @param machine what its programs take for the machine's name
public record HostNames(String name, String domain, String machine) {
  private static final int LONGEST_LABEL = 63;
  private static final int LONGEST_NAME = 64;

  /// @param zone the cluster's domain
  /// @param node the node's own name, which a pod in its network has
  public static HostNames of(Pod pod, String zone, String node) {
    String given = Json.textOr(pod.spec(), "", "hostnameOverride");
    if (!given.isEmpty()) {
      return new HostNames(given, "", given);
    }
    if (pod.hostNetwork()) {
      return new HostNames(node, "", node);
    }
    String wanted = Json.textOr(pod.spec(), "", "hostname");
    String name = label(wanted.isEmpty() ? pod.name() : wanted);
    String subdomain = Json.textOr(pod.spec(), "", "subdomain");
    String domain = subdomain.isEmpty() ? "" : subdomain + "." + pod.namespace() + ".svc." + zone;
    boolean full = pod.spec().path("setHostnameAsFQDN").asBoolean(false) && !domain.isEmpty();
    String machine = full ? name + "." + domain : name;
    if (machine.length() > LONGEST_NAME) {
      throw new RuntimeFailure(
          "ContainerCreating",
          "Failed to construct FQDN from Pod hostname and cluster domain, FQDN "
              + machine
              + " is too long (64 characters is the max, "
              + machine.length()
              + " characters requested)");
    }
    return new HostNames(name, domain, machine);
  }

  /// `busybox-1.default-subdomain.default.svc.cluster.local`; the name alone without a domain.
  public String full() {
    return domain.isEmpty() ? name : name + "." + domain;
  }

  private static String label(String name) {
    String cut = name.length() > LONGEST_LABEL ? name.substring(0, LONGEST_LABEL) : name;
    int end = cut.length();
    while (end > 0 && (cut.charAt(end - 1) == '-' || cut.charAt(end - 1) == '.')) {
      end--;
    }
    return cut.substring(0, end);
  }
}
