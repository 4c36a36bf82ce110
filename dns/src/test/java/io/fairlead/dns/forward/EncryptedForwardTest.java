package io.fairlead.dns.forward;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.Scheme;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.Rcode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Forwarding over TLS and HTTPS, to a server of ours with a certificate made by openssl.
@Tag("system")
class EncryptedForwardTest {
  @TempDir private static Path directory;
  private static TestDnsServer server;

  @BeforeAll
  static void start() throws Exception {
    Path certificate = directory.resolve("cert.pem");
    Path key = directory.resolve("key.pem");
    Process openssl =
        new ProcessBuilder(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=dns.test",
                "-addext",
                "subjectAltName=DNS:dns.test,IP:127.0.0.1",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(openssl.waitFor()).as(output).isZero();
    Path hosts = directory.resolve("hosts");
    Files.writeString(hosts, "192.0.2.80 db.example.net\n");
    String body = " {\ntls " + certificate + " " + key + "\nhosts " + hosts + "\n}\n";
    server =
        new TestDnsServer(
            "tls://.:0" + body + "https://.:0" + body,
            new DnsTestCluster()::client,
            List.of("127.0.0.1"),
            List.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  record Case(String title, String to, String options, String outcome) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Case> cases() {
    String well = "NOERROR; db.example.net. 3600 IN A 192.0.2.80";
    return Stream.of(
        new Case("TLS, certificate for the address", "tls://127.0.0.1:TLS", "tls CA", well),
        new Case(
            "TLS, name of the line",
            "tls://127.0.0.1:TLS",
            "tls CA\ntls_servername dns.test",
            well),
        new Case("TLS, name of the target", "tls://127.0.0.1%dns.test:TLS", "tls CA", well),
        new Case("TLS, another name", "tls://127.0.0.1%other.test:TLS", "tls CA", "SERVFAIL"),
        new Case("TLS, unknown authority", "tls://127.0.0.1:TLS", "", "SERVFAIL"),
        new Case("HTTPS by POST", "https://127.0.0.1:HTTPS", "tls CA", well),
        new Case("HTTPS by GET", "https://127.0.0.1:HTTPS", "tls CA\ndoh_method GET", well),
        new Case("HTTPS, unknown authority", "https://127.0.0.1:HTTPS", "", "SERVFAIL"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void forwards(Case c) throws Exception {
    String line =
        ("forward . " + c.to() + " {\nmax_fails 0\nread_timeout 20s\n" + c.options() + "\n}")
            .replace(":TLS", ":" + server.address(Scheme.TLS).getPort())
            .replace(":HTTPS", ":" + server.address(Scheme.HTTPS).getPort())
            .replace("tls CA", "tls " + directory.resolve("cert.pem"));
    try (Rig rig = new Rig(line, Rig.refusing()).realTime().start()) {
      Reply reply = rig.ask("db.example.net", "A");
      assertThat(text(reply)).as(reply.failure()).isEqualTo(c.outcome());
      assertThat(reply.rcode()).isIn(Rcode.NOERROR, Rcode.SERVFAIL);
      Reply again = rig.ask("db.example.net", "A");
      assertThat(text(again)).as(again.failure()).isEqualTo(c.outcome());
    }
  }
}
