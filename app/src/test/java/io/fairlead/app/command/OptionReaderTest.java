package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.agent.AgentOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.cli.Verb;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.proxy.config.ConfigurationCheck;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OptionReaderTest {
  private static final DataDirectory DATA = new DataDirectory(Path.of("/data"));

  private static Options read(String verb, Map<String, String> environment, String... words) {
    Verb found = verb.equals("up") ? Grammar.UP : Grammar.APISERVER;
    OptionReader reader =
        new OptionReader(new ArgumentParser(environment).parse(found, List.of(words)), DATA);
    return verb.equals("up") ? reader.forUp() : reader.forApiServer();
  }

  @Test
  void upHasTheDefaultsPeopleKnow() {
    Options options = read("up", Map.of("FAIRLEAD_AGENT", "off"));
    assertThat(options).isEqualTo(Options.defaults(Path.of("/data")));
  }

  @Test
  void aNodeGetsItsPodsRangeAndTheTenthServiceAddressForNames() {
    AgentOptions agent =
        read("up", Map.of(), "--agent=on", "--pod-cidr=10.9.0.0/24").agent().orElseThrow();
    assertThat(agent.podRanges()).containsExactly(Cidr.parse("10.9.0.0/24"));
    assertThat(agent.clusterDns()).containsExactly("10.96.0.10");
  }

  @Test
  void podsAreToldAnAddressOfTheApiThatTheyCanReach() {
    record Case(String expected, String words) {}
    for (Case row :
        List.of(
            new Case("10.244.0.1", "--agent=on"),
            new Case("10.9.0.1", "--agent=on --pod-cidr=10.9.0.0/24"),
            new Case(
                "fd00:10:244::1",
                "--agent=on --service-cidr=fd00:10:96::/112"
                    + " --pod-cidr=10.9.0.0/24,fd00:10:244::/64"),
            new Case("192.0.2.10", "--agent=on --bind-address=192.0.2.10"),
            new Case("127.0.0.1", "--agent=off"))) {
      assertThat(read("up", Map.of(), row.words().split(" ")).server().advertiseAddress())
          .as(row.words())
          .isEqualTo(row.expected());
    }
  }

  @Test
  void proxyAndNamesComeWithPods() {
    Options options =
        read("up", Map.of(), "--agent=on", "--service-cidr=10.0.0.0/16", "--pod-cidr=10.9.0.0/24");
    ProxyConfiguration proxy = options.proxy().orElseThrow().get();
    assertThat(proxy.text("mode")).isEmpty();
    assertThat(proxy.text("hostnameOverride")).isEqualTo(options.agent().orElseThrow().nodeName());
    assertThat(proxy.text("clusterCIDR")).isEqualTo("10.9.0.0/24");
    assertThat(proxy.text("healthzBindAddress")).startsWith("127.0.0.1:");
    assertThat(ConfigurationCheck.problems(proxy)).isEmpty();
    assertThat(options.dns().orElseThrow().address()).isEqualTo(IpAddress.parse("10.0.0.10"));
    assertThat(options.hasNode()).isTrue();
    Options without = read("up", Map.of("FAIRLEAD_AGENT", "off"));
    assertThat(without.hasNode()).isFalse();
    Options only = read("up", Map.of("FAIRLEAD_AGENT", "off", "FAIRLEAD_DNS", "on"));
    assertThat(only.dns()).isPresent();
    assertThat(only.proxy()).isEmpty();
  }

  @Test
  void theWidestRangeOfEachFamilyTellsPods() {
    Options options =
        read(
            "up",
            Map.of(),
            "--agent=on",
            "--proxy-mode=iptables",
            "--pod-cidr=10.244.3.0/24,fd00:10:244::/64");
    ProxyConfiguration proxy = options.proxy().orElseThrow().get();
    assertThat(proxy.text("mode")).isEqualTo("iptables");
    assertThat(proxy.text("clusterCIDR")).isEqualTo("10.244.0.0/16,fd00:10:244::/64");
  }

  @Test
  void flagsOfUpReachTheServer() {
    Options options =
        read(
            "up",
            Map.of("FAIRLEAD_API_PORT", "7443"),
            "--service-cidr=10.0.0.0/16,fd00::/112",
            "--tls-san",
            "a.example",
            "--tls-san=b.example",
            "--service-node-port-range=20000-20100",
            "--emulated-version=1.33",
            "--event-ttl=10m",
            "--bind-address=0.0.0.0");
    assertThat(options.server().securePort()).isEqualTo(7443);
    assertThat(options.server().services().cidrs()).containsExactly("10.0.0.0/16", "fd00::/112");
    assertThat(options.server().tlsSans()).containsExactly("a.example", "b.example");
    assertThat(options.server().services().nodePortRange()).isEqualTo("20000-20100");
    assertThat(options.server().emulatedMinor()).isEqualTo(33);
    assertThat(options.server().eventTtl()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.controllers()).isTrue();
  }

  @Test
  void flagsOfApiserverReachTheServer(@TempDir Path files) throws Exception {
    String file = Files.writeString(files.resolve("file"), "x").toString();
    Options options =
        read(
            "apiserver",
            Map.of(),
            "--secure-port=8443",
            "--etcd-servers=http://127.0.0.1:2379,http://127.0.0.1:22379",
            "--etcd-cafile=" + file,
            "--etcd-certfile=" + file,
            "--etcd-keyfile=" + file,
            "--tls-cert-file=" + file,
            "--tls-private-key-file=" + file,
            "--client-ca-file=" + file,
            "--token-auth-file=" + file,
            "--authorization-mode=AlwaysAllow",
            "--anonymous-auth=false",
            "--service-account-issuer=https://issuer",
            "--audit-log-path=" + files.resolve("audit"),
            "--advertise-address=192.0.2.1",
            "--allow-service-external-ips=true",
            "--allow-load-balancer-cluster-addresses=true",
            "--event-ttl=2h45m0s",
            "--service-cluster-ip-range=10.1.0.0/24");
    assertThat(options.etcd().orElseThrow().servers()).hasSize(2);
    assertThat(options.server().securePort()).isEqualTo(8443);
    assertThat(options.server().authorizationMode()).isEqualTo("AlwaysAllow");
    assertThat(options.server().anonymousAuth()).isFalse();
    assertThat(options.server().services().externalIps()).isTrue();
    assertThat(options.server().services().clusterAddresses()).isTrue();
    assertThat(options.server().serviceAccountIssuer()).isEqualTo("https://issuer");
    assertThat(options.server().advertiseAddress()).isEqualTo("192.0.2.1");
    assertThat(options.server().tlsCertFile()).contains(Path.of(file));
    assertThat(options.server().clientCaFile()).contains(Path.of(file));
    assertThat(options.server().auditLog()).contains(files.resolve("audit"));
    assertThat(options.server().services().cidrs()).containsExactly("10.1.0.0/24");
    assertThat(options.server().eventTtl()).isEqualTo(Duration.ofMinutes(165));
    assertThat(options.controllers()).isFalse();
  }

  record Bad(String name, Code code, String verb, String... words) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bad() {
    return Stream.of(
        new Bad("CIDR without length", Code.FL303, "up", "--service-cidr=10.0.0.0"),
        new Bad("CIDR too long", Code.FL303, "up", "--service-cidr=10.0.0.0/33"),
        new Bad(
            "three CIDRs", Code.FL303, "up", "--service-cidr=10.0.0.0/8,fd00::/112,10.1.0.0/16"),
        new Bad("two of one family", Code.FL303, "up", "--service-cidr=10.0.0.0/16,10.1.0.0/16"),
        new Bad("port range backwards", Code.FL303, "up", "--service-node-port-range=32767-30000"),
        new Bad("port range too high", Code.FL303, "up", "--service-node-port-range=1-70000"),
        new Bad("port range of words", Code.FL303, "up", "--service-node-port-range=low-high"),
        new Bad("version too old", Code.FL303, "up", "--emulated-version=1.5"),
        new Bad("version of another major", Code.FL303, "up", "--emulated-version=2.0"),
        new Bad("no room for DNS", Code.FL303, "up", "--dns=on", "--service-cidr=10.0.0.0/29"),
        new Bad("mode of its own", Code.FL303, "up", "--proxy-mode=fastest"),
        new Bad("bind address is a name", Code.FL303, "up", "--bind-address=localhost"),
        new Bad("token file missing", Code.FL304, "up", "--token-auth-file=/nonexistent/tokens"),
        new Bad("token file is a directory", Code.FL304, "up", "--token-auth-file=/tmp"),
        new Bad("certificate without key", Code.FL305, "apiserver", "--tls-cert-file=/etc/passwd"),
        new Bad(
            "key without certificate",
            Code.FL305,
            "apiserver",
            "--tls-private-key-file=/etc/passwd"),
        new Bad("etcd CA without etcd", Code.FL305, "apiserver", "--etcd-cafile=/etc/passwd"),
        new Bad("name with a blank", Code.FL303, "up", "--tls-san=a.example,b c"),
        new Bad("time without a unit", Code.FL303, "apiserver", "--event-ttl=3600"),
        new Bad("time before now", Code.FL303, "up", "--event-ttl=-1h"),
        new Bad("unknown mode", Code.FL303, "apiserver", "--authorization-mode=ABAC"),
        new Bad("flag of up on apiserver", Code.FL301, "apiserver", "--api-port=1"),
        new Bad("flag of kube-apiserver not known", Code.FL301, "apiserver", "--feature-gates=x"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  @Provokes({Code.FL303, Code.FL304, Code.FL305})
  void badInputIsRefused(Bad row) {
    Problem problem =
        catchThrowableOfType(Problem.class, () -> read(row.verb(), Map.of(), row.words()));
    assertThat(problem.code()).isEqualTo(row.code());
  }
}
