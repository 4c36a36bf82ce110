package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Provokes;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command lines of `proxy` and `rules`, as far as they need no kernel and no API server.
class ProxyCommandTest {
  @TempDir Path directory;

  private final CommandLineHarness harness = new CommandLineHarness();

  @Test
  void everyFlagOfKubeProxyIsAFlagOfOurs() {
    assertThat(Grammar.PROXY.flags().stream().map(flag -> flag.name()))
        .containsAll(ProxyFlag.all().stream().map(ProxyFlag::name).toList());
  }

  @Test
  @Provokes(ErrorCode.FL309)
  void aConfigurationWithMistakesIsRefusedWithAllOfThem() throws IOException {
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(
        file,
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        clusterCDIR: 10.0.0.0/8
        iptables: {masqueradeBit: many}
        """);
    var result = harness.run("proxy", "--config", file.toString());
    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err())
        .contains(
            "FL309", "clusterCDIR: unknown field", "iptables.masqueradeBit: must be a number");
  }

  @Test
  void flagsOverDefaultsAreWrittenAsAConfigurationThatReadsBack() throws IOException {
    Path file = directory.resolve("out.yaml");
    var result =
        harness.run(
            "proxy",
            "--write-config-to=" + file,
            "--cluster-cidr=10.64.0.0/14",
            "--iptables-min-sync-period=2s",
            "--masquerade-all",
            "--nodeport-addresses=primary,10.0.0.0/8",
            "--mode=nftables");
    assertThat(result.exit()).as(result.err()).isZero();
    ProxyConfiguration read = ProxyConfiguration.read(Files.readString(file));
    assertThat(read.text("clusterCIDR")).isEqualTo("10.64.0.0/14");
    assertThat(read.time("nftables", "minSyncPeriod").toSeconds()).isEqualTo(2);
    assertThat(read.on("iptables", "masqueradeAll")).isTrue();
    assertThat(read.list("nodePortAddresses")).containsExactly("primary", "10.0.0.0/8");
    assertThat(read.text("mode")).isEqualTo("nftables");
  }

  @Test
  void strictModeForbidsFallingBack() throws IOException {
    Path file = directory.resolve("written.yaml");
    var result = harness.run("proxy", "--write-config-to=" + file, "--mode=ipvs", "--strict-mode");
    assertThat(result.exit()).as(result.err()).isZero();
    ProxyConfiguration read = ProxyConfiguration.read(Files.readString(file));
    assertThat(read.text("mode")).isEqualTo("ipvs");
    assertThat(read.text("ipvs", "fallback")).isEqualTo("fail");
  }

  @Test
  void anUnknownModeOfTheOriginalsFlagIsRefused() {
    var result = harness.run("proxy", "--proxy-mode=magic");
    assertThat(result.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("mode: \"magic\" is not one of auto, iptables, nftables");
  }

  @Test
  @Provokes(ErrorCode.FL217)
  void rulesWithoutAnApiServerSayWhatToDo() {
    var result = harness.run("rules", "svc/web");
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL217", "--kubeconfig");
  }

  @Test
  @Provokes(ErrorCode.FL201)
  void aModeThatCannotStartIsNamed() {
    var messages =
        io.fairlead.app.text.MessageCatalog.of(
            io.fairlead.app.text.Language.of(java.util.Map.of("LANG", "C.UTF-8")));
    assertThat(new FairleadException(ErrorCode.FL201, "iptables", "not root").render(messages))
        .contains("iptables", "not root");
  }
}
