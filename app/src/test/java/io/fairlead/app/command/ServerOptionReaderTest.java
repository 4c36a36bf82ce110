package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.agent.AgentOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
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

class ServerOptionReaderTest {
  private static final DataDirectory DATA = new DataDirectory(Path.of("/data"));

  private static Options read(String verb, Map<String, String> environment, String... words) {
    Verb found = verb.equals("up") ? Grammar.UP : Grammar.APISERVER;
    ServerOptionReader reader =
        new ServerOptionReader(new ArgumentParser(environment).parse(found, List.of(words)), DATA);
    return verb.equals("up") ? reader.forUp() : reader.forApiServer();
  }

  @Test
  void upHasTheDefaultsPeopleKnow() {
    Options options = read("up", Map.of("FAIRLEAD_AGENT", "off"));
    assertThat(options).isEqualTo(Options.defaults(Path.of("/data")));
  }

  @Test
  @Provokes(ErrorCode.FL407)
  void loadBalancerPoolsAddUpAndReplaceTheLocalOne() {
    assertThat(read("up", Map.of(), "--agent=on").hasLocalBalancer()).isTrue();
    assertThat(read("up", Map.of(), "--agent=off").hasLocalBalancer()).isFalse();
    assertThat(read("up", Map.of(), "--agent=on", "--load-balancer-pool=none").hasLocalBalancer())
        .isFalse();
    Options options =
        read(
            "up",
            Map.of(),
            "--agent=on",
            "--default-load-balancer=false",
            "--load-balancer-pool=lan=192.0.2.1,fd00::1;announce=none",
            "--load-balancer-pool=192.0.2.8/30");
    assertThat(options.hasLocalBalancer()).isFalse();
    assertThat(options.loadBalancing().isDefault()).isFalse();
    assertThat(options.loadBalancing().pools().usable())
        .hasToString("[lan 192.0.2.1,fd00::1, pool-2 192.0.2.8-192.0.2.11]");
    assertThatThrownBy(() -> read("up", Map.of(), "--load-balancer-pool=lan=192.0.2.9-192.0.2.1"))
        .isInstanceOfSatisfying(
            FairleadException.class,
            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.FL407));
  }

  @Test
  void lv71TheNodesOwnAddressesNeedTheGuardsFlag() {
    assertThatThrownBy(() -> read("up", Map.of(), "--agent=on", "--load-balancer-pool=node"))
        .isInstanceOfSatisfying(
            FairleadException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.FL407);
              assertThat(problem.code().exit()).isEqualTo(ExitCode.PREFLIGHT_REFUSED);
              assertThat(problem.values().toString())
                  .contains("--allow-load-balancer-cluster-addresses=true");
            });
    Options options =
        read(
            "up",
            Map.of(),
            "--agent=on",
            "--load-balancer-pool=node",
            "--allow-load-balancer-cluster-addresses=true");
    assertThat(options.loadBalancing().nodes()).isTrue();
    assertThat(options.hasLocalBalancer()).isFalse();
  }

  @Test
  void policiesAreEnforcedWherePodsRunUnlessToldOtherwise() {
    assertThat(read("up", Map.of(), "--agent=on", "--pod-cidr=10.9.0.0/24").policy())
        .hasValueSatisfying(
            policy -> {
              assertThat(policy.node()).isEqualTo("fairlead");
              assertThat(policy.podRanges()).containsExactly(Cidr.parse("10.9.0.0/24"));
            });
    assertThat(read("up", Map.of(), "--agent=on", "--policy=off").policy()).isEmpty();
    assertThat(read("up", Map.of(), "--agent=off").policy()).isEmpty();
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

  record Bad(String name, ErrorCode code, String verb, String... words) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bad() {
    return Stream.of(
        new Bad("CIDR without length", ErrorCode.FL303, "up", "--service-cidr=10.0.0.0"),
        new Bad("CIDR too long", ErrorCode.FL303, "up", "--service-cidr=10.0.0.0/33"),
        new Bad(
            "three CIDRs",
            ErrorCode.FL303,
            "up",
            "--service-cidr=10.0.0.0/8,fd00::/112,10.1.0.0/16"),
        new Bad(
            "two of one family", ErrorCode.FL303, "up", "--service-cidr=10.0.0.0/16,10.1.0.0/16"),
        new Bad(
            "port range backwards", ErrorCode.FL303, "up", "--service-node-port-range=32767-30000"),
        new Bad("port range too high", ErrorCode.FL303, "up", "--service-node-port-range=1-70000"),
        new Bad("port range of words", ErrorCode.FL303, "up", "--service-node-port-range=low-high"),
        new Bad("version too old", ErrorCode.FL303, "up", "--emulated-version=1.5"),
        new Bad("version of another major", ErrorCode.FL303, "up", "--emulated-version=2.0"),
        new Bad("no room for DNS", ErrorCode.FL303, "up", "--dns=on", "--service-cidr=10.0.0.0/29"),
        new Bad("mode of its own", ErrorCode.FL303, "up", "--proxy-mode=fastest"),
        new Bad("bind address is a name", ErrorCode.FL303, "up", "--bind-address=localhost"),
        new Bad(
            "token file missing", ErrorCode.FL304, "up", "--token-auth-file=/nonexistent/tokens"),
        new Bad("token file is a directory", ErrorCode.FL304, "up", "--token-auth-file=/tmp"),
        new Bad(
            "certificate without key", ErrorCode.FL305, "apiserver", "--tls-cert-file=/etc/passwd"),
        new Bad(
            "key without certificate",
            ErrorCode.FL305,
            "apiserver",
            "--tls-private-key-file=/etc/passwd"),
        new Bad("etcd CA without etcd", ErrorCode.FL305, "apiserver", "--etcd-cafile=/etc/passwd"),
        new Bad(
            "pods among Services", ErrorCode.FL305, "up", "--agent=on", "--pod-cidr=10.96.0.0/24"),
        new Bad(
            "Services among pods",
            ErrorCode.FL305,
            "up",
            "--agent=on",
            "--service-cidr=10.244.3.0/24"),
        new Bad("name with a blank", ErrorCode.FL303, "up", "--tls-san=a.example,b c"),
        new Bad("time without a unit", ErrorCode.FL303, "apiserver", "--event-ttl=3600"),
        new Bad("time before now", ErrorCode.FL303, "up", "--event-ttl=-1h"),
        new Bad("unknown mode", ErrorCode.FL303, "apiserver", "--authorization-mode=ABAC"),
        new Bad("flag of up on apiserver", ErrorCode.FL301, "apiserver", "--api-port=1"),
        new Bad("flag of no program", ErrorCode.FL301, "apiserver", "--no-such-flag=x"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  @Provokes({ErrorCode.FL303, ErrorCode.FL304, ErrorCode.FL305})
  void badInputIsRefused(Bad row) {
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class, () -> read(row.verb(), Map.of(), row.words()));
    assertThat(problem.code()).isEqualTo(row.code());
  }
}
