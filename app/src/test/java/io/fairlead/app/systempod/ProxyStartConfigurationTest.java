package io.fairlead.app.systempod;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.systempod.ProxyStartConfiguration.ProxyFlags;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `--proxy-mode` against the ConfigMap: which wins, and what the start says.
class ProxyStartConfigurationTest {
  private static final ProxyFlag MODE = ProxyFlag.find("proxy-mode").orElseThrow();

  /// @param flag the value of `--proxy-mode`, null when it is not given
  /// @param text of the ConfigMap
  record Case(String name, @Nullable String flag, String text, String mode, String note) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("nothing said", null, conf("mode: \"\""), "", ""),
        new Case(
            "the ConfigMap names a mode",
            null,
            conf("mode: iptables"),
            "iptables",
            "as ConfigMap kube-system/kube-proxy says"),
        new Case("both say the same", "iptables", conf("mode: iptables"), "iptables", ""),
        new Case(
            "the flag wins",
            "nftables",
            conf("mode: iptables"),
            "nftables",
            "as --proxy-mode says; ConfigMap kube-system/kube-proxy said iptables"),
        new Case(
            "the flag wins over auto",
            "nftables",
            conf("mode: \"\""),
            "nftables",
            "as --proxy-mode says; ConfigMap kube-system/kube-proxy said auto"),
        new Case(
            "the flag asks for auto",
            "",
            conf("mode: ipvs"),
            "",
            "as --proxy-mode says; ConfigMap kube-system/kube-proxy said ipvs"),
        new Case(
            "a field that does not exist",
            null,
            conf("mod: ipvs"),
            "",
            "ConfigMap kube-system/kube-proxy is ignored: mod: unknown field"),
        new Case(
            "a mode that does not exist",
            null,
            conf("mode: ipfs"),
            "",
            "ConfigMap kube-system/kube-proxy is ignored: mode: "));
  }

  private static String conf(String line) {
    return "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n" + line;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whoDecides(Case c) {
    String flag = c.flag();
    ProxyStartConfiguration start =
        ProxyStartConfiguration.of(
            new ProxyFlags(
                () -> with(ProxyConfiguration.defaults(), flag),
                kept -> with(kept, flag),
                flag != null),
            c.text());
    assertThat(start.configuration().text("mode")).isEqualTo(c.mode());
    assertThat(start.note()).startsWith(c.note());
    assertThat(start.note().isEmpty()).isEqualTo(c.note().isEmpty());
  }

  private static ProxyConfiguration with(ProxyConfiguration base, @Nullable String flag) {
    return flag == null ? base : base.with(MODE, flag);
  }
}
