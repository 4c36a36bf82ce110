package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a running API server does at HUP, TERM and INT: a process of its own, real signals.
@Tag("system")
class SignalsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NAMESPACES = "/api/v1/namespaces";

  @TempDir Path home;
  private int port;
  private Path log;
  private @Nullable Process process;

  @BeforeEach
  void makeFiles() throws Exception {
    selfSigned("first");
    selfSigned("second");
    selfSigned("ca-one");
    selfSigned("ca-two");
    client("alice", "ca-one");
    client("bob", "ca-two");
    log = home.resolve("log");
    use("first", "ca-one", "old-token");
  }

  @AfterEach
  void end() throws Exception {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void hangUpReadsCertificateClientAuthorityAndTokensAgain() throws Exception {
    start();
    try (RawTls watch = new RawTls(port);
        RawTls kept = new RawTls(port);
        RawTls alice = as("alice")) {
      watch.stream(NAMESPACES + "?watch=true", "old-token");
      assertThat(kept.call("GET", NAMESPACES, "old-token", "")).isEqualTo(200);
      assertThat(kept.shown()).isEqualTo("CN=first");
      assertThat(alice.call("GET", NAMESPACES, "", "")).isEqualTo(200);
      assertThat(asClient("bob")).as("anonymous: nobody asked for it").isEqualTo(403);

      use("second", "ca-two", "new-token");
      signal("HUP");
      awaitLog("files read again");

      try (RawTls fresh = new RawTls(port)) {
        assertThat(fresh.call("GET", NAMESPACES, "new-token", "")).isEqualTo(200);
        assertThat(fresh.call("GET", NAMESPACES, "old-token", "")).isEqualTo(401);
        assertThat(fresh.shown()).isEqualTo("CN=second");
      }
      assertThat(alice.call("GET", NAMESPACES, "", ""))
          .as("on the connection from before, of the authority that is gone")
          .isEqualTo(401);
      assertThat(asClient("alice")).as("anonymous: nobody asks for it now").isEqualTo(403);
      assertThat(asClient("bob")).as("of the new authority").isEqualTo(200);
      assertThat(kept.call("POST", NAMESPACES, "new-token", "{\"metadata\":{\"name\":\"later\"}}"))
          .as("on the connection from before")
          .isEqualTo(201);
      watch.awaitLine("\"name\":\"later\"");
    }
  }

  @Test
  void hangUpWithABrokenFileChangesNothing() throws Exception {
    start();
    Files.writeString(home.resolve("tls.crt"), "no certificate");
    signal("HUP");
    awaitLog("could not be read again");
    assertThat(Files.readString(log)).contains(home.resolve("tls.crt").toString());
    try (RawTls fresh = new RawTls(port)) {
      assertThat(fresh.call("GET", NAMESPACES, "old-token", "")).isEqualTo(200);
      assertThat(fresh.shown()).isEqualTo("CN=first");
    }
    assertThat(asClient("alice")).isEqualTo(200);
  }

  @Test
  void terminateEndsWatchesInOrderAndLosesNothing() throws Exception {
    endsInOrder("TERM");
  }

  @Test
  void interruptEndsInOrderToo() throws Exception {
    endsInOrder("INT");
  }

  private void endsInOrder(String signal) throws Exception {
    start();
    try (RawTls watch = new RawTls(port);
        RawTls writer = new RawTls(port)) {
      watch.stream(NAMESPACES + "?watch=true&resourceVersion=0", "old-token");
      assertThat(writer.call("POST", NAMESPACES, "old-token", "{\"metadata\":{\"name\":\"kept\"}}"))
          .isEqualTo(201);
      watch.awaitLine("\"name\":\"kept\"");
      signal(signal);
      // The rest of the event's chunk, then the end of all chunks.
      watch.awaitLine("0");
    }
    assertThat(running().waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(running().exitValue()).isZero();
    assertThat(Files.readString(log)).contains("stopping", "stopped");
    start();
    try (RawTls again = new RawTls(port)) {
      assertThat(again.call("GET", NAMESPACES + "/kept", "old-token", "")).isEqualTo(200);
    }
  }

  /// A request that never ends holds up the orderly end for two seconds. On a machine that stands
  /// still for longer the second signal comes too late, so this is tried a few times.
  @Test
  void aSecondInterruptEndsAtOnce() throws Exception {
    List<Integer> exits = new ArrayList<>();
    for (int round = 0; round < 5 && !exits.contains(130); round++) {
      Files.deleteIfExists(log);
      start();
      try (RawTls endless = new RawTls(port)) {
        endless.begin("POST", NAMESPACES, "old-token", 1000);
        awaitInFlight();
        signal("INT");
        awaitLog("stopping");
        signal("INT");
        assertThat(running().waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        exits.add(running().exitValue());
      }
      if (exits.contains(130)) {
        assertThat(Files.readString(log)).doesNotContain("stopped");
      }
    }
    assertThat(exits).contains(130).isSubsetOf(0, 130);
  }

  private void awaitInFlight() {
    await()
        .atMost(LONG)
        .until(
            () -> {
              try (RawTls metrics = new RawTls(port)) {
                metrics.stream("/metrics", "old-token");
                metrics.awaitLine(
                    "apiserver_current_inflight_requests{request_kind=\"mutating\"} 1");
                return true;
              } catch (IOException e) {
                return false;
              }
            });
  }

  private void start() throws Exception {
    port = FairleadCli.freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
                FairleadCli.launcher(home).toString(),
                "apiserver",
                "--data-dir=" + home.resolve("data"),
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--token-auth-file=" + home.resolve("tokens.csv"),
                "--client-ca-file=" + home.resolve("client-ca.crt"),
                "--tls-cert-file=" + home.resolve("tls.crt"),
                "--tls-private-key-file=" + home.resolve("tls.key"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("LC_ALL", "C.UTF-8");
    process = builder.start();
    await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(running().isAlive()).as(() -> read(log)).isTrue();
              try (RawTls ready = new RawTls(port)) {
                return ready.call("GET", "/readyz", "", "") == 200
                    && read(log).lines().filter(line -> line.contains(" ready")).count() > 0;
              } catch (IOException e) {
                return false;
              }
            });
  }

  private Process running() {
    return Objects.requireNonNull(process);
  }

  private void signal(String name) throws Exception {
    run(List.of("kill", "-" + name, Long.toString(running().pid())));
  }

  private void awaitLog(String text) {
    await().atMost(LONG).until(() -> read(log).contains(text));
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// The code of a request with that client certificate and nothing else.
  private int asClient(String name) throws Exception {
    try (RawTls client = as(name)) {
      return client.call("GET", NAMESPACES, "", "");
    }
  }

  /// A connection that shows that client certificate, if the server asks for one of its authority.
  private RawTls as(String name) throws Exception {
    return new RawTls(
        port,
        new ClientIdentity.ClientCertificate(
            PemParser.certificates(Files.readAllBytes(home.resolve(name + ".crt"))),
            PemParser.privateKey(Files.readAllBytes(home.resolve(name + ".key")))));
  }

  /// Puts these files where the server reads them.
  private void use(String certificate, String authority, String token) throws IOException {
    copy(certificate + ".crt", "tls.crt");
    copy(certificate + ".key", "tls.key");
    copy(authority + ".crt", "client-ca.crt");
    Files.writeString(home.resolve("tokens.csv"), token + ",carol,1,system:masters\n");
  }

  private void copy(String from, String to) throws IOException {
    Files.copy(home.resolve(from), home.resolve(to), StandardCopyOption.REPLACE_EXISTING);
  }

  private void selfSigned(String name) throws Exception {
    run(request(name, "/CN=" + name, List.of()));
  }

  private void client(String name, String authority) throws Exception {
    run(
        request(
            name,
            "/O=system:masters/CN=" + name,
            List.of(
                "-CA",
                authority + ".crt",
                "-CAkey",
                authority + ".key",
                "-addext",
                "extendedKeyUsage=clientAuth")));
  }

  private static List<String> request(String name, String subject, List<String> more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                subject,
                "-keyout",
                name + ".key",
                "-out",
                name + ".crt"));
    words.addAll(more);
    return words;
  }

  private void run(List<String> command) throws Exception {
    FairleadCli.Result result = FairleadCli.run(home, Map.of(), command);
    assertThat(result.exit()).as(result.out()).isZero();
  }
}
