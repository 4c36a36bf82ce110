package io.fairlead.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How an API server is set up. The flags of `fairlead apiserver` fill it.
///
/// @param bindAddress the address to listen on, `127.0.0.1` or `0.0.0.0`
/// @param securePort the TLS port; 0 takes a free one
/// @param pki the directory with (or for) the cluster's own CA, keys and certificates
/// @param services where Services get addresses and node ports from, and which they may name
/// @param tokenAuthFile static tokens: `token,user,uid,"group1,group2"` per line
/// @param clientCaFile CA bundle for client certificates instead of the cluster's own
/// @param tlsCertFile serving certificate instead of one of the cluster's own CA
/// @param tlsPrivateKeyFile its key
/// @param tlsSans further names and addresses for the own serving certificate
/// @param authorizationMode `RBAC` or `AlwaysAllow`
/// @param anonymousAuth requests without credentials are `system:anonymous`
/// @param serviceAccountIssuer `iss` of the tokens
/// @param clusterDomain `cluster.local`
/// @param advertiseAddress the address others reach this server at
/// @param emulatedMinor the Kubernetes minor version whose behaviour is shown
/// @param auditLog where to write the audit lines; empty for none
/// @param limits what a single request may cost
/// @param eventTtl how long an Event is kept; zero for ever
/// @param keyFiles keys brought from elsewhere instead of the cluster's own
/// @param warnsOfUnserved whether to warn of what only other programs than Fairlead would act on
public record ApiServerConfig(
    String bindAddress,
    int securePort,
    Path pki,
    ServiceNetworkOptions services,
    Optional<Path> tokenAuthFile,
    Optional<Path> clientCaFile,
    Optional<Path> tlsCertFile,
    Optional<Path> tlsPrivateKeyFile,
    List<String> tlsSans,
    String authorizationMode,
    boolean anonymousAuth,
    String serviceAccountIssuer,
    String clusterDomain,
    String advertiseAddress,
    int emulatedMinor,
    Optional<Path> auditLog,
    Limits limits,
    Duration eventTtl,
    KeyFiles keyFiles,
    boolean warnsOfUnserved) {
  /// What Services get, and which addresses they may name. A user who may write a Service draws
  /// traffic to it for what it names (CVE-2020-8554), so naming is refused unless it is allowed
  /// here.
  ///
  /// @param cidrs the service ranges, one or two, such as `10.96.0.0/12`
  /// @param nodePortRange `30000-32767`
  /// @param externalIps whether a Service may name `externalIPs`
  /// @param clusterAddresses whether the status of a balancer may name addresses of nodes, pods and
  ///   API servers
  public record ServiceNetworkOptions(
      List<String> cidrs, String nodePortRange, boolean externalIps, boolean clusterAddresses) {
    public static final ServiceNetworkOptions DEFAULT =
        new ServiceNetworkOptions(List.of("10.96.0.0/12"), "30000-32767", false, false);

    public ServiceNetworkOptions {
      cidrs = List.copyOf(cidrs);
    }
  }

  /// Bounds that keep one client from hurting the others.
  ///
  /// @param bodyBytes largest request body
  /// @param jsonPatchOperations most operations in one JSON patch
  /// @param requestsInFlight requests served at once, divided among the priority levels
  /// @param watcherQueue events a slow watcher may lag behind before its stream is closed
  public record Limits(
      int bodyBytes, int jsonPatchOperations, int requestsInFlight, int watcherQueue) {
    public static final Limits DEFAULT = new Limits(3 << 20, 10_000, 600, 1000);
  }

  /// Keys of another installation, kubeadm's for example, that this server goes on with.
  ///
  /// @param tokenSigningKey signs service account tokens
  /// @param tokenKeys whose tokens are believed, public or private halves; empty for the signing
  ///   key only
  /// @param nodeClientCertificate who this server is to nodes
  /// @param nodeClientKey its key
  public record KeyFiles(
      Optional<Path> tokenSigningKey,
      List<Path> tokenKeys,
      Optional<Path> nodeClientCertificate,
      Optional<Path> nodeClientKey) {
    public static final KeyFiles NONE =
        new KeyFiles(Optional.empty(), List.of(), Optional.empty(), Optional.empty());

    public KeyFiles {
      tokenKeys = List.copyOf(tokenKeys);
    }
  }

  public ApiServerConfig {
    tlsSans = List.copyOf(tlsSans);
  }

  /// The defaults of an all-in-one server on loopback, with its secrets under `pki`.
  public static ApiServerConfig defaults(Path pki) {
    return new ApiServerConfigBuilder(pki).build();
  }

  /// To have another like this one.
  public ApiServerConfigBuilder change() {
    return new ApiServerConfigBuilder(this);
  }
}
