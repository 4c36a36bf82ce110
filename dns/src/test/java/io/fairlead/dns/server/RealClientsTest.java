package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.testing.JdkLookup;
import io.fairlead.dns.testing.TestServerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Programs people have ask as they always do, in a network namespace where we are the only server
/// there is, on the usual ports.
@Tag("system")
class RealClientsTest {
  private static final String SPACE = "fldns" + ProcessHandle.current().pid();
  private static final Path CONFIGURATION = Path.of("/etc/netns", SPACE);
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String CRANE = "crane.harbor.svc.cluster.local";

  @TempDir static Path directory;
  private static @Nullable Process server;

  /// @param says pieces of what it prints
  record Client(String name, List<String> command, String... says) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Client> clients() {
    return Stream.of(
        new Client("dig", dig("+short", CRANE), "10.96.14.7"),
        new Client("dig over TCP", dig("+tcp", "+short", CRANE), "10.96.14.7"),
        new Client(
            "dig follows TC", dig("+bufsize=512", "swarm.quay.svc.cluster.local"), "ANSWER: 1000"),
        new Client("dig: flags and OPT", dig(CRANE), "flags: qr aa rd", "udp: 1232", "COOKIE: "),
        new Client("dig: denial", dig("nosuch.harbor.svc.cluster.local"), "NXDOMAIN", "SOA"),
        new Client(
            "dig SRV",
            dig("_web._tcp." + CRANE, "SRV"),
            "0 100 80 " + CRANE + ".",
            "ADDITIONAL SECTION"),
        new Client("dig -x", dig("+short", "-x", "10.96.14.7"), CRANE),
        new Client("dig outside", dig("+short", "outside.harbor.svc.cluster.local"), "192.0.2.80"),
        new Client("kdig", kdig(CRANE), "10.96.14.7", "NOERROR"),
        new Client("kdig over TLS", kdig("+tls", CRANE), "10.96.14.7", "TLS session"),
        new Client("kdig over HTTPS", kdig("+https", CRANE), "10.96.14.7", "HTTP/2"),
        new Client("kdig over HTTPS, GET", kdig("+https-get", CRANE), "10.96.14.7"),
        new Client("getent", List.of("getent", "hosts", CRANE), "10.96.14.7"),
        new Client("getent, search list", List.of("getent", "hosts", "crane"), "10.96.14.7"),
        new Client("getent, backwards", List.of("getent", "hosts", "10.96.14.7"), CRANE),
        new Client(
            "busybox nslookup", List.of("busybox", "nslookup", CRANE, "127.0.0.1"), "10.96.14.7"),
        new Client(
            "the JDK",
            List.of(JAVA, "-cp", CLASS_PATH, JdkLookup.class.getName(), "winch.harbor"),
            "10.96.14.8",
            "fd00:96:0:0:0:0:0:e8"));
  }

  private static List<String> dig(String... words) {
    List<String> command = new ArrayList<>(List.of("dig", "@127.0.0.1", "+tries=1", "+timeout=20"));
    command.addAll(List.of(words));
    return command;
  }

  private static List<String> kdig(String... words) {
    List<String> command = new ArrayList<>(List.of("kdig", "@127.0.0.1", "+timeout=20"));
    command.addAll(List.of(words));
    return command;
  }

  @BeforeAll
  static void start() throws Exception {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
    Path keys = directory.resolve("keys.p12");
    run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "dns",
            "-keyalg",
            "EC",
            "-dname",
            "CN=dns",
            "-keystore",
            keys.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            "changeit"));
    run(List.of("ip", "netns", "add", SPACE));
    run(List.of("ip", "-n", SPACE, "link", "set", "lo", "up"));
    Files.createDirectories(CONFIGURATION);
    Files.writeString(
        CONFIGURATION.resolve("resolv.conf"),
        "nameserver 127.0.0.1\nsearch harbor.svc.cluster.local svc.cluster.local cluster.local\n"
            + "options ndots:5 timeout:20 attempts:1\n");
    Process process =
        new ProcessBuilder(
                inside(
                    List.of(
                        JAVA, "-cp", CLASS_PATH, TestServerMain.class.getName(), keys.toString())))
            .redirectError(directory.resolve("server.log").toFile())
            .start();
    server = process;
    BufferedReader said = process.inputReader();
    String line = said.readLine();
    assertThat(line).as(Files.readString(directory.resolve("server.log"))).startsWith("ready");
  }

  @AfterAll
  static void stop() throws Exception {
    Process process = server;
    if (process != null) {
      process.getOutputStream().close();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    if (Files.exists(CONFIGURATION)) {
      Files.deleteIfExists(CONFIGURATION.resolve("resolv.conf"));
      Files.delete(CONFIGURATION);
      run(List.of("ip", "netns", "delete", SPACE));
    }
  }

  private static List<String> inside(List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", SPACE));
    all.addAll(command);
    return all;
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    assertThat(exit).as("%s: %s", command, said).isZero();
    return said;
  }

  @ParameterizedTest
  @MethodSource("clients")
  void getsItsAnswer(Client client) throws Exception {
    assertThat(Objects.requireNonNull(server).isAlive()).isTrue();
    assertThat(run(inside(client.command()))).contains(client.says());
  }
}
