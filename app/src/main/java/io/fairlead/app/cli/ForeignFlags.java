package io.fairlead.app.cli;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Flags of kube-apiserver, kube-controller-manager and kubelet that have no meaning here, so that
/// a command line written for one of them, kubeadm's for example, works. Each has a reason: where
/// nothing is lost the flag is ignored with a warning, where something would be, it is refused.
final class ForeignFlags {
  /// @param name without the dashes
  /// @param valued whether a value follows where there is no `=`
  /// @param refused whether the command must not go on without it
  /// @param reason the key of a sentence: `ignored.REASON`, or `FL301.REASON` when it is refused
  record ForeignFlag(String name, boolean valued, boolean refused, String reason) {}

  private static final Map<String, Map<String, ForeignFlag>> FLAGS =
      Map.of(
          Grammar.APISERVER.name(), apiServer(),
          Grammar.CONTROLLERS.name(), controllers(),
          Grammar.AGENT.name(), agent());

  private ForeignFlags() {}

  /// The foreign flags of a verb by name.
  static Map<String, ForeignFlag> of(String verb) {
    return FLAGS.getOrDefault(verb, Map.of());
  }

  private static Map<String, ForeignFlag> apiServer() {
    Map<String, ForeignFlag> flags = new HashMap<>();
    ignore(
        flags,
        "aggregation",
        "proxy-client-cert-file proxy-client-key-file requestheader-allowed-names"
            + " requestheader-client-ca-file requestheader-extra-headers-prefix"
            + " requestheader-group-headers requestheader-uid-headers"
            + " requestheader-username-headers enable-aggregator-routing?");
    ignore(
        flags,
        "admission",
        "enable-admission-plugins disable-admission-plugins admission-control-config-file");
    ignore(flags, "bootstrap", "enable-bootstrap-token-auth?");
    ignore(flags, "privileged", "allow-privileged?");
    ignore(flags, "addresses", "kubelet-preferred-address-types");
    ignore(flags, "gates", "feature-gates runtime-config");
    ignore(
        flags,
        "tuning",
        "max-requests-inflight max-mutating-requests-inflight request-timeout min-request-timeout"
            + " default-watch-cache-size watch-cache-sizes etcd-compaction-interval"
            + " etcd-count-metric-poll-period goaway-chance http2-max-streams-per-connection"
            + " enable-priority-and-fairness? profiling? audit-log-maxage audit-log-maxbackup"
            + " audit-log-maxsize audit-log-format audit-policy-file endpoint-reconciler-type"
            + " service-account-lookup? service-account-max-token-expiration storage-backend"
            + " storage-media-type kubelet-timeout shutdown-delay-duration");
    ignore(flags, "tls", "tls-cipher-suites tls-min-version cert-dir");
    refuse(flags, "encryption", "encryption-provider-config");
    refuse(flags, "prefix", "etcd-prefix");
    refuse(
        flags,
        "login",
        "authentication-config authentication-token-webhook-config-file oidc-issuer-url"
            + " oidc-client-id oidc-ca-file oidc-username-claim oidc-groups-claim");
    refuse(
        flags,
        "authorization",
        "authorization-config authorization-policy-file authorization-webhook-config-file");
    return Map.copyOf(flags);
  }

  private static Map<String, ForeignFlag> controllers() {
    Map<String, ForeignFlag> flags = new HashMap<>();
    ignore(
        flags,
        "delegation",
        "authentication-kubeconfig authorization-kubeconfig requestheader-client-ca-file"
            + " authorization-always-allow-paths authentication-skip-lookup?");
    ignore(
        flags,
        "signing",
        "cluster-signing-cert-file cluster-signing-key-file cluster-signing-duration");
    ignore(flags, "tokens", "service-account-private-key-file");
    ignore(flags, "gates", "feature-gates");
    ignore(
        flags,
        "tuning",
        "cluster-name service-cluster-ip-range configure-cloud-routes? cloud-provider"
            + " concurrent-deployment-syncs concurrent-gc-syncs concurrent-job-syncs"
            + " concurrent-namespace-syncs concurrent-replicaset-syncs"
            + " concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs"
            + " kube-api-burst kube-api-qps min-resync-period node-monitor-period profiling?"
            + " terminated-pod-gc-threshold flex-volume-plugin-dir");
    ignore(flags, "tls", "tls-cipher-suites tls-min-version cert-dir");
    return Map.copyOf(flags);
  }

  private static Map<String, ForeignFlag> agent() {
    Map<String, ForeignFlag> flags = new HashMap<>();
    ignore(flags, "join", "bootstrap-kubeconfig rotate-certificates? rotate-server-certificates?");
    ignore(flags, "gates", "feature-gates");
    ignore(
        flags,
        "tuning",
        "pod-infra-container-image cgroup-driver fail-swap-on? runtime-cgroups kubelet-cgroups"
            + " volume-plugin-dir config-dir cloud-provider register-node? seccomp-default?"
            + " serialize-image-pulls? eviction-hard image-gc-high-threshold"
            + " image-gc-low-threshold node-status-update-frequency cert-dir");
    ignore(
        flags,
        "access",
        "anonymous-auth? authentication-token-webhook? authorization-mode read-only-port");
    return Map.copyOf(flags);
  }

  private static void ignore(Map<String, ForeignFlag> into, String reason, String names) {
    put(into, reason, names, false);
  }

  private static void refuse(Map<String, ForeignFlag> into, String reason, String names) {
    put(into, reason, names, true);
  }

  /// @param names separated by blanks; `?` behind one that may stand without a value
  private static void put(
      Map<String, ForeignFlag> into, String reason, String names, boolean refused) {
    Arrays.stream(names.split(" "))
        .forEach(
            word -> {
              boolean valued = !word.endsWith("?");
              String name = valued ? word : word.substring(0, word.length() - 1);
              into.put(name, new ForeignFlag(name, valued, refused, reason));
            });
  }
}
