package io.fairlead.server.resources.cluster;

import io.fairlead.server.pki.CertificateSigner;
import io.fairlead.server.resources.table.Cells;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// What the signers of Kubernetes sign, and what they do not. Pure.
///
/// @param usages what a certificate may be for
/// @param required what it must be for
/// @param node whether it must be that of a node
/// @param server whether it is one of a server
record SignerPolicy(Set<String> usages, String required, boolean node, boolean server) {
  private static final Set<String> CLIENT =
      Set.of("digital signature", "key encipherment", "client auth");
  private static final Set<String> SERVER =
      Set.of("digital signature", "key encipherment", "server auth");
  private static final Duration LONGEST = Duration.ofDays(365);
  static final String CLIENTS = "kubernetes.io/kube-apiserver-client";

  /// By name.
  static final Map<String, SignerPolicy> SIGNERS =
      Map.of(
          CLIENTS,
          new SignerPolicy(CLIENT, "client auth", false, false),
          "kubernetes.io/kube-apiserver-client-kubelet",
          new SignerPolicy(CLIENT, "client auth", true, false),
          "kubernetes.io/kubelet-serving",
          new SignerPolicy(SERVER, "server auth", true, true));

  /// Why it does not sign that; empty when it does.
  Optional<String> refusal(CertificateSigner.Request request, JsonNode spec) {
    Set<String> asked = new TreeSet<>(Cells.strings(spec.path("usages")));
    if (!asked.contains(required)) {
      return Optional.of("usages did not contain " + required);
    }
    if (!usages.containsAll(asked)) {
      return Optional.of("usages " + asked + " are more than " + new TreeSet<>(usages));
    }
    if (request.otherNames() || (!server && node && !request.names().isEmpty())) {
      return Optional.of("subject alternative names are not allowed");
    }
    if (server && request.names().isEmpty()) {
      return Optional.of("DNS or IP subjectAltName is required");
    }
    if (node && !request.organizations().equals(List.of("system:nodes"))) {
      return Optional.of("subject organization is not system:nodes");
    }
    if (node && !request.commonName().startsWith("system:node:")) {
      return Optional.of("subject common name does not begin with system:node:");
    }
    if (server && !spec.path("username").asString("").equals(request.commonName())) {
      return Optional.of("the node asks for the certificate of another");
    }
    return Optional.empty();
  }

  /// How long it shall be valid: as asked for, a year at most.
  static Duration validity(JsonNode spec) {
    JsonNode seconds = spec.path("expirationSeconds");
    Duration asked = Duration.ofSeconds(seconds.asLong(0));
    return seconds.isNumber() && asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
  }
}
