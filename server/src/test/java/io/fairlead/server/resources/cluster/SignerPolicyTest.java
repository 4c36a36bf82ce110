package io.fairlead.server.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.pki.CertificateSigner.Request;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SignerPolicyTest {
  private static final String CLIENT = "usages: [client auth, digital signature]";
  private static final String SERVER = "usages: [server auth], username: 'system:node:n1'";
  private static final Request BOB = new Request("bob", List.of("dev"), List.of(), false);
  private static final Request NODE =
      new Request("system:node:n1", List.of("system:nodes"), List.of(), false);
  private static final Request SERVING =
      new Request("system:node:n1", List.of("system:nodes"), List.of("10.0.0.1"), false);

  record Row(String name, String signer, Request request, String spec, String refusal) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    String clients = "kube-apiserver-client";
    String nodes = "kube-apiserver-client-kubelet";
    String serving = "kubelet-serving";
    return Stream.of(
        new Row("a client", clients, BOB, CLIENT, ""),
        new Row(
            "a client that wants to be a server",
            clients,
            BOB,
            "usages: [client auth, server auth]",
            "usages [client auth, server auth] are more than [client auth, digital signature, key"
                + " encipherment]"),
        new Row(
            "nothing of the sort",
            clients,
            BOB,
            "usages: [digital signature]",
            "usages did not contain client auth"),
        new Row("a node", nodes, NODE, CLIENT, ""),
        new Row("no node", nodes, BOB, CLIENT, "subject organization is not system:nodes"),
        new Row(
            "a node by another name",
            nodes,
            new Request("bob", List.of("system:nodes"), List.of(), false),
            CLIENT,
            "subject common name does not begin with system:node:"),
        new Row(
            "a node with more groups",
            nodes,
            new Request("system:node:n1", List.of("system:nodes", "dev"), List.of(), false),
            CLIENT,
            "subject organization is not system:nodes"),
        new Row(
            "a node with addresses",
            nodes,
            SERVING,
            CLIENT,
            "subject alternative names are not allowed"),
        new Row("a node's server", serving, SERVING, SERVER, ""),
        new Row(
            "without an address", serving, NODE, SERVER, "DNS or IP subjectAltName is required"),
        new Row(
            "for another node",
            serving,
            SERVING,
            "usages: [server auth], username: 'system:node:n2'",
            "the node asks for the certificate of another"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    SignerPolicy policy =
        Objects.requireNonNull(SignerPolicy.SIGNERS.get("kubernetes.io/" + row.signer()));
    assertThat(policy.refusal(row.request(), Yaml.parse("{" + row.spec() + "}")).orElse(""))
        .isEqualTo(row.refusal());
  }

  @Test
  void noCertificateIsValidForMoreThanAYear() {
    assertThat(SignerPolicy.validity(Yaml.parse("{}"))).isEqualTo(Duration.ofDays(365));
    assertThat(SignerPolicy.validity(Yaml.parse("{expirationSeconds: 600}")))
        .isEqualTo(Duration.ofMinutes(10));
    assertThat(SignerPolicy.validity(Yaml.parse("{expirationSeconds: 999999999}")))
        .isEqualTo(Duration.ofDays(365));
  }
}
