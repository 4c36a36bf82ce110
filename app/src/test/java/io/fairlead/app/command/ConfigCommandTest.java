package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// `fairlead config`: files are judged by the code that reads them when something starts.
class ConfigCommandTest {
  private static final String PROXY =
      """
      apiVersion: kubeproxy.config.k8s.io/v1alpha1
      kind: KubeProxyConfiguration
      mode: nftables
      conntrack: {maxPerCore: 0}
      """;
  private static final String KUBELET =
      """
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: KubeletConfiguration
      maxPods: 20
      evictionPressureTransitionPeriod: 5m
      """;

  @TempDir Path directory;

  private final CommandLineHarness harness = new CommandLineHarness();

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  static List<Arguments> valid() {
    return List.of(
        Arguments.of("fairlead.yaml", "api-port: 7443\nproxy: off\n", "fairlead.yaml"),
        Arguments.of("proxy.yaml", PROXY, "KubeProxyConfiguration"),
        Arguments.of("kubelet.yaml", KUBELET, "KubeletConfiguration"),
        Arguments.of("names", "example.org:1053 {\n  whoami\n}\n", "Corefile"),
        Arguments.of("Corefile", ".:1053 {\n whoami\n}\n", "Corefile"));
  }

  @ParameterizedTest(name = "{0} is a {2}")
  @MethodSource("valid")
  void aFileThatCanBeUsedIsToldAsWhatItIs(String name, String text, String kind)
      throws IOException {
    String file = file(name, text);
    var result = harness.run("config", "validate", file);
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    assertThat(result.out()).startsWith("✓ " + file + " is a valid " + kind);
  }

  @Test
  void aFieldWithoutEffectIsNamed() throws IOException {
    assertThat(harness.run("config", "validate", file("kubelet.yaml", KUBELET)).out())
        .contains("! without effect:", "evictionPressureTransitionPeriod");
  }

  static List<Arguments> invalid() {
    return List.of(
        Arguments.of("fairlead.yaml", "api-prot: 7443\n", "did you mean api-port?"),
        Arguments.of("fairlead.yaml", "api-port: many\n", "\"many\""),
        Arguments.of("proxy.yaml", PROXY + "clusterCidr: x\n", "clusterCidr"),
        Arguments.of("proxy.yaml", PROXY.replace("nftables", "ebpf"), "ebpf"),
        Arguments.of("Corefile", ".:1053 {\n  whoamy\n}\n", "whoamy"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("invalid")
  void aFileThatCannotBeUsedIsRefusedWithWhatIsWrong(String name, String text, String wrong)
      throws IOException {
    var result = harness.run("config", "validate", file(name, text));
    assertThat(result.exit()).isNotZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(wrong);
  }

  @Test
  void theOriginOfEachValueIsTold() throws IOException {
    String file = file("fairlead.yaml", "api-port: 7443\nevent-ttl: 2h\n");
    var result = harness.with("FAIRLEAD_EVENT_TTL", "3h").run("config", "show", file, "--origin");
    assertThat(result.out().lines())
        .anyMatch(line -> line.matches("api-port +7443 +" + file))
        .anyMatch(line -> line.matches("event-ttl +3h +FAIRLEAD_EVENT_TTL"))
        .anyMatch(line -> line.matches("service-cidr +10.96.0.0/12 +default"));
  }

  @Test
  void withoutAFileTheFlagsOfUpAreShown() {
    assertThat(harness.run("config", "show").out().lines())
        .anyMatch(line -> line.matches("api-port +6443"));
  }

  @Test
  void aDifferenceShowsOnlyWhatIsNotTheDefault() throws IOException {
    assertThat(harness.run("config", "diff", file("fairlead.yaml", "api-port: 7443\n")).out())
        .isEqualTo("api-port  6443 → 7443\n");
    assertThat(harness.run("config", "diff", file("proxy.yaml", PROXY)).out())
        .contains("conntrack.maxPerCore  32768 → 0")
        .contains("+ nftables")
        .doesNotContain("metricsBindAddress");
  }

  @Test
  void programsGetTheSame() throws IOException {
    var result =
        harness.run("config", "diff", file("fairlead.yaml", "api-port: 7443\n"), "-o", "json");
    assertThat(result.out())
        .contains(
            "\"kind\" : \"Configuration\"", "\"name\" : \"api-port\"", "\"value\" : \"7443\"");
  }

  /// As kubeadm writes it: every field is there, most say nothing.
  private static final String KUBE_PROXY =
      """
      apiVersion: kubeproxy.config.k8s.io/v1alpha1
      kind: KubeProxyConfiguration
      clientConnection: {kubeconfig: /var/lib/kube-proxy/kubeconfig.conf, burst: 0}
      clusterCIDR: 10.32.0.0/16
      mode: ipvs
      ipvs: {fallback: fail, scheduler: lc, excludeCIDRs: null}
      iptables: {masqueradeAll: true, syncPeriod: 0s}
      metricsBindAddress: 0.0.0.0:10249
      """;

  private CommandLineHarness.Result convert(String name, String text, String... more)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("config", "convert", file(name, text)));
    words.addAll(List.of(more));
    var result = harness.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  @Test
  void kubeProxysConfigurationBecomesAFileThatUpReads() throws IOException {
    var result = convert("config.conf", KUBE_PROXY);
    assertThat(result.out())
        .isEqualTo("cluster-cidr: 10.32.0.0/16\nproxy-mode: ipvs\nstrict-mode: true\n");
    assertThat(result.err().lines())
        .anyMatch(line -> line.contains("ipvs.scheduler (lc); no flag of `up`, but the ConfigMap"))
        .anyMatch(line -> line.contains("iptables.masqueradeAll (true); no flag of `up`"))
        .anyMatch(line -> line.contains("clientConnection.kubeconfig") && line.contains("itself"))
        .anyMatch(line -> line.contains("metricsBindAddress (0.0.0.0:10249); `up` sets this"))
        .hasSize(4);
    String settings = file("fairlead.yaml", result.out());
    assertThat(harness.run("config", "validate", settings).exit()).isZero();
  }

  @Test
  void aConfigMapIsReadAsWhatItHolds() throws IOException {
    String map = convert("config.conf", KUBE_PROXY, "--to=ConfigMap").out();
    assertThat(map).contains("kind: ConfigMap", "name: kube-proxy", "config.conf: |");
    assertThat(convert("map.yaml", map).out()).isEqualTo(convert("config.conf", KUBE_PROXY).out());
    String corefile = ".:1053 {\n  whoami\n}\n";
    String names = convert("Corefile", corefile).out();
    assertThat(names).contains("kind: ConfigMap", "name: coredns");
    assertThat(convert("names.yaml", names).out()).isEqualTo(corefile);
  }

  @Test
  void flagsMeanWhatTheFileMeant() throws IOException {
    String text = KUBE_PROXY.replace("/var/lib/kube-proxy/kubeconfig.conf", file("kubeconfig", ""));
    var result = convert("config.conf", text, "--to=flags");
    // --masquerade-all is about both modes.
    assertThat(result.err())
        .isEqualTo("! not in it: nftables.masqueradeAll (false); there is no such flag\n");
    Path copy = directory.resolve("copy.yaml");
    List<String> words = new ArrayList<>(List.of("proxy", "--write-config-to=" + copy));
    result.out().lines().forEach(words::add);
    assertThat(harness.run(words.toArray(String[]::new)).exit()).isZero();
    String whole =
        convert("config.conf", text, "--to=KubeProxyConfiguration")
            .out()
            .replaceFirst("(?s)(nftables:\\s+masqueradeAll:) false", "$1 true");
    assertThat(copy).hasContent(whole);
  }

  @Test
  void aFileOfUpBecomesWhatItsProxyRunsWith() throws IOException {
    String settings = "proxy-mode: userspace\npod-cidr: 10.9.0.0/24\napi-port: 7443\n";
    var result = convert("fairlead.yaml", settings);
    assertThat(result.out())
        .contains("mode: userspace", "clusterCIDR: 10.9.0.0/24", "hostnameOverride: fairlead");
    assertThat(result.err())
        .isEqualTo("! not in it: api-port (7443); not a setting of the proxy\n");
    assertThat(convert("fairlead.yaml", settings, "--to=flags").out())
        .contains("--api-port=7443\n", "--proxy-mode=userspace\n");
  }

  @Test
  void aKubeletsConfigurationKeepsWhatUpHas() throws IOException {
    var result = convert("kubelet.yaml", KUBELET + "clusterDomain: example.org\n");
    assertThat(result.out()).isEqualTo("max-pods: 20\n");
    assertThat(result.err())
        .contains("evictionPressureTransitionPeriod", "cluster-domain (example.org); `up` has no");
  }

  @Test
  void aFormThatAFileCannotTakeIsRefusedWithThoseItCan() throws IOException {
    var result =
        harness.run("config", "convert", file("Corefile", ".:53 {\n}\n"), "--to=fairlead.yaml");
    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("FL303", "Corefile → ConfigMap, Corefile");
  }

  @Test
  void whatIsMissingIsNamed() {
    for (String[] words : new String[][] {{"config"}, {"config", "diff"}, {"config", "vali"}}) {
      var result = harness.run(words);
      assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains("validate FILE");
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    var result = harness.run("config", "validate", directory.resolve("none").toString());
    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("FL304", "none");
  }
}
