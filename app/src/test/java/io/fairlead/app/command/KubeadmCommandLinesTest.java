package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.app.Options;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Verb;
import io.fairlead.app.controllers.ControllersOptionReader;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The command lines and files that kubeadm writes for the originals are understood, or ignored
/// with a reason, or refused with one.
class KubeadmCommandLinesTest {
  @TempDir Path files;

  private Arguments parse(Verb verb, String... words) {
    return new ArgumentParser(Map.of()).parse(verb, List.of(words));
  }

  private String file(String name) throws IOException {
    return Files.writeString(files.resolve(name), "x").toString();
  }

  private static List<String> names(Arguments arguments) {
    MessageCatalog english = MessageCatalog.of(Language.EN);
    MessageCatalog chinese = MessageCatalog.of(Language.ZH_CN);
    for (Arguments.Ignored ignored : arguments.ignored()) {
      assertThat(english.text("ignored." + ignored.reason())).isNotEmpty();
      assertThat(chinese.text("ignored." + ignored.reason())).isNotEmpty();
    }
    return arguments.ignored().stream().map(Arguments.Ignored::name).toList();
  }

  @Test
  void theApiServersIsUnderstood() throws IOException {
    Arguments arguments =
        parse(
            Grammar.APISERVER,
            "--advertise-address=192.0.2.10",
            "--allow-privileged=true",
            "--authorization-mode=Node,RBAC",
            "--client-ca-file=" + file("ca.crt"),
            "--enable-admission-plugins=NodeRestriction",
            "--enable-bootstrap-token-auth=true",
            "--etcd-cafile=" + file("etcd-ca.crt"),
            "--etcd-certfile=" + file("etcd.crt"),
            "--etcd-keyfile=" + file("etcd.key"),
            "--etcd-servers=https://127.0.0.1:2379",
            "--kubelet-client-certificate=" + file("kubelet.crt"),
            "--kubelet-client-key=" + file("kubelet.key"),
            "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
            "--proxy-client-cert-file=/etc/kubernetes/pki/front-proxy-client.crt",
            "--proxy-client-key-file=/etc/kubernetes/pki/front-proxy-client.key",
            "--requestheader-allowed-names=front-proxy-client",
            "--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-username-headers=X-Remote-User",
            "--secure-port=6443",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
            "--service-account-key-file=" + file("sa.pub"),
            "--service-account-signing-key-file=" + file("sa.key"),
            "--service-cluster-ip-range=10.96.0.0/12",
            "--tls-cert-file=" + file("apiserver.crt"),
            "--tls-private-key-file=" + file("apiserver.key"));
    Options options =
        new ServerOptionReader(arguments, new DataDirectory(Path.of("/data"))).forApiServer();
    assertThat(options.server().authorizationMode()).isEqualTo("RBAC");
    assertThat(options.server().keyFiles().tokenSigningKey()).contains(files.resolve("sa.key"));
    assertThat(options.server().keyFiles().tokenKeys()).containsExactly(files.resolve("sa.pub"));
    assertThat(options.server().keyFiles().nodeClientCertificate())
        .contains(files.resolve("kubelet.crt"));
    assertThat(names(arguments))
        .containsExactly(
            "--allow-privileged",
            "--enable-admission-plugins",
            "--enable-bootstrap-token-auth",
            "--kubelet-preferred-address-types",
            "--proxy-client-cert-file",
            "--proxy-client-key-file",
            "--requestheader-allowed-names",
            "--requestheader-client-ca-file",
            "--requestheader-extra-headers-prefix",
            "--requestheader-group-headers",
            "--requestheader-username-headers");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "RBAC, RBAC",
    "'Node,RBAC', RBAC",
    "'RBAC,Node', RBAC",
    "AlwaysAllow, AlwaysAllow",
    "'Node,AlwaysAllow', AlwaysAllow"
  })
  void authorizationModes(String given, String meant) {
    Arguments arguments = parse(Grammar.APISERVER, "--authorization-mode=" + given);
    assertThat(
            new ServerOptionReader(arguments, new DataDirectory(Path.of("/data")))
                .forApiServer()
                .server()
                .authorizationMode())
        .isEqualTo(meant);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"Node", "ABAC", "'Node,Webhook'", "AlwaysDeny"})
  void otherModesAreRefused(String mode) {
    Arguments arguments = parse(Grammar.APISERVER, "--authorization-mode=" + mode);
    assertThatExceptionOfType(FairleadException.class)
        .isThrownBy(
            () ->
                new ServerOptionReader(arguments, new DataDirectory(Path.of("/data")))
                    .forApiServer())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FL303));
  }

  /// Without them data is lost or a user locked out, so the command does not start.
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "--encryption-provider-config=/etc/kubernetes/enc.yaml, does not encrypt",
    "--etcd-prefix=/other, under /registry",
    "--oidc-issuer-url=https://login.example, client certificates",
    "--authorization-webhook-config-file=/x, RBAC"
  })
  void whatWouldHurtIsRefusedWithAReason(String word, String reason) {
    assertThatExceptionOfType(FairleadException.class)
        .isThrownBy(() -> parse(Grammar.APISERVER, word))
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.FL301);
              assertThat(e.render(MessageCatalog.of(Language.EN))).contains(reason);
            });
  }

  @Test
  void theControllerManagersIsUnderstood() throws IOException {
    Arguments arguments =
        parse(
            Grammar.CONTROLLERS,
            "--allocate-node-cidrs=true",
            "--authentication-kubeconfig=/etc/kubernetes/controller-manager.conf",
            "--authorization-kubeconfig=/etc/kubernetes/controller-manager.conf",
            "--bind-address=127.0.0.1",
            "--client-ca-file=" + file("ca.crt"),
            "--cluster-cidr=10.244.0.0/16",
            "--cluster-name=kubernetes",
            "--cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt",
            "--cluster-signing-key-file=/etc/kubernetes/pki/ca.key",
            "--controllers=*,bootstrapsigner,tokencleaner",
            "--kubeconfig=" + file("controller-manager.conf"),
            "--leader-elect=true",
            "--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt",
            "--root-ca-file=" + file("root.crt"),
            "--service-account-private-key-file=/etc/kubernetes/pki/sa.key",
            "--service-cluster-ip-range=10.96.0.0/12",
            "--use-service-account-credentials=true");
    assertThat(ControllersOptionReader.list(arguments).words()).containsExactly("*");
    assertThat(names(arguments))
        .contains("--cluster-signing-key-file")
        .doesNotContain("--controllers", "--root-ca-file", "--use-service-account-credentials");
    assertThat(arguments.on("use-service-account-credentials")).isTrue();
  }

  @Test
  void theKubeletsFileIsRead() throws IOException {
    Path ca = Files.writeString(files.resolve("ca.crt"), "x");
    Path config =
        Files.writeString(
            files.resolve("config.yaml"),
            """
            apiVersion: kubelet.config.k8s.io/v1beta1
            authentication:
              anonymous:
                enabled: false
              webhook:
                cacheTTL: 0s
                enabled: true
              x509:
                clientCAFile: %s
            authorization:
              mode: Webhook
              webhook:
                cacheAuthorizedTTL: 0s
                cacheUnauthorizedTTL: 0s
            cgroupDriver: systemd
            clusterDNS:
            - 10.96.0.10
            clusterDomain: cluster.example
            containerRuntimeEndpoint: ""
            cpuManagerReconcilePeriod: 0s
            crashLoopBackOff: {}
            evictionPressureTransitionPeriod: 0s
            fileCheckFrequency: 0s
            healthzBindAddress: 127.0.0.1
            healthzPort: 10248
            httpCheckFrequency: 0s
            imageMaximumGCAge: 0s
            imageMinimumGCAge: 0s
            kind: KubeletConfiguration
            logging:
              flushFrequency: 0
              options:
                json:
                  infoBufferSize: "0"
                text:
                  infoBufferSize: "0"
              verbosity: 0
            maxPods: 50
            memorySwap: {}
            nodeStatusReportFrequency: 0s
            nodeStatusUpdateFrequency: 0s
            rotateCertificates: true
            runtimeRequestTimeout: 0s
            shutdownGracePeriod: 0s
            staticPodPath: /etc/kubernetes/manifests
            streamingConnectionIdleTimeout: 0s
            syncFrequency: 0s
            volumeStatsAggPeriod: 0s
            """
                .formatted(ca));
    Arguments arguments =
        parse(
            Grammar.AGENT,
            "--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf",
            "--config=" + config,
            "--container-runtime-endpoint=unix:///run/containerd/containerd.sock",
            "--cluster-dns=10.96.0.11");
    assertThat(arguments.text("cluster-dns")).as("a flag wins").isEqualTo("10.96.0.11");
    assertThat(arguments.text("cluster-domain")).isEqualTo("cluster.example");
    assertThat(arguments.number("max-pods")).isEqualTo(50);
    assertThat(arguments.path("client-ca-file")).contains(ca);
    assertThat(arguments.text("pod-manifest-path")).isEqualTo("/etc/kubernetes/manifests");
    assertThat(names(arguments))
        .containsExactly(
            "--bootstrap-kubeconfig",
            config + ": cgroupDriver",
            config + ": healthzBindAddress",
            config + ": healthzPort",
            config + ": rotateCertificates");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "'authentication: {anonymous: {enabled: true}}', everybody",
    "'authorization: {mode: AlwaysAllow}', everybody",
    "'kind: Pod', KubeletConfiguration"
  })
  void aKubeletsFileThatOpensTheNodeIsRefused(String line, String reason) throws IOException {
    Path config =
        Files.writeString(
            files.resolve("config.yaml"),
            (line.startsWith("kind") ? "" : "kind: KubeletConfiguration\n")
                + "apiVersion: kubelet.config.k8s.io/v1beta1\n"
                + line
                + "\n");
    assertThatExceptionOfType(FairleadException.class)
        .isThrownBy(() -> parse(Grammar.AGENT, "--config=" + config))
        .satisfies(e -> assertThat(e.render(MessageCatalog.of(Language.EN))).contains(reason));
  }
}
