package io.fairlead.insight.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class DumpArchiveTest {
  private static final Instant NOW = Instant.parse("2026-11-16T10:42:07Z");

  @TempDir Path directory;

  private static Redaction redaction(boolean hashed) {
    return new Redaction(hashed, new byte[] {1, 2, 3});
  }

  /// A text and what is left of it.
  private record Case(String name, String text, String left) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> texts() {
    return Stream.of(
        new Case("a password", "password=hunter2 ok", "password=‹redacted› ok"),
        new Case("a JSON member", "{\"apiKey\": \"abc\"}", "{\"apiKey\": \"‹redacted›\"}"),
        new Case("a header", "Authorization: Bearer abc.def", "Authorization: ‹redacted›"),
        new Case(
            "a header with a name",
            "Authorization: Basic Ym9iOnB3\nx",
            "Authorization: ‹redacted›\nx"),
        new Case("a cookie", "Set-Cookie: fairlead-ui=abc; Path=/ui", "Set-Cookie: ‹redacted›"),
        new Case(
            "a value of several words",
            "{\"password\": \"correct horse\", \"a\": 1}",
            "{\"password\": \"‹redacted›\", \"a\": 1}"),
        new Case(
            "a quote in a value",
            "{\"password\":\"a\\\"b c\",\"x\":1}",
            "{\"password\":\"‹redacted›\",\"x\":1}"),
        new Case(
            "JSON inside of JSON",
            "{\"log\":\"{\\\"password\\\": \\\"two words\\\"}\"}",
            "{\"log\":\"{\\\"password\\\": \\\"‹redacted›\\\"}\"}"),
        new Case("single quotes", "password: 'two words' x", "password: '‹redacted›' x"),
        new Case("a flag and its value", "run --token abc -v", "run --token ‹redacted› -v"),
        new Case("a short name", "DB_PWD=abc", "DB_PWD=‹redacted›"),
        new Case("one value in another", "args=password=abc", "args=password=‹redacted›"),
        new Case(
            "a token without a name", "got eyJhbGciOi.eyJzdWIi.c2ln here", "got ‹redacted› here"),
        new Case("a word, not a value", "the token expired", "the token expired"),
        new Case("a bearer token", "sent Bearer abc.def-1", "sent Bearer ‹redacted›"),
        new Case(
            "a PEM block",
            "x -----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY----- y",
            "x ‹redacted› y"),
        new Case("a PEM block that is cut", "-----BEGIN RSA PRIVATE KEY-----\nMII", "‹redacted›"),
        new Case("a user in a URL", "https://bob:pw@host/x", "https://‹redacted›@host/x"),
        new Case("an address stays", "10.0.1.175:80", "10.0.1.175:80"),
        new Case("a harmless line", "rules written in 3 ms", "rules written in 3 ms"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void isTakenOut(Case row) {
    assertThat(redaction(false).text(row.text())).isEqualTo(row.left());
  }

  /// Users who may write an annotation choose such texts.
  @ParameterizedTest
  @ValueSource(
      strings = {"key", "a", "a:", "1.", "a://", "pass ", "key=", "\\", "bearer ", "eyJa."})
  void aLongTextTakesNoLonger(String part) {
    String text = part.repeat(200_000 / part.length());
    assertThatNoException()
        .isThrownBy(
            () ->
                assertTimeoutPreemptively(
                    Duration.ofSeconds(20), () -> redaction(true).text(text)));
  }

  @Test
  void membersWithSecretNamesGoWholeAndOthersStay() {
    assertThat(
            redaction(false)
                .document(
                    Yaml.parse(
                        "{clientSecret: {a: b}, topologyKey: zone, data: {token: abc, port: 80}}"))
                .toString())
        .isEqualTo(
            "{\"clientSecret\":\"‹redacted›\",\"topologyKey\":\"zone\","
                + "\"data\":{\"token\":\"‹redacted›\",\"port\":80}}");
  }

  @Test
  void hashedAddressesAreTheSameEverywhere() {
    Redaction redaction = redaction(true);
    String first = redaction.text("10.0.1.175 and fd00::1 and 10.0.0.0/16");
    assertThat(first).matches("ip-[0-9a-f]{6} and ip-[0-9a-f]{6} and ip-[0-9a-f]{6}/16");
    assertThat(redaction.text("10.0.1.175")).isEqualTo(first.substring(0, 9));
    assertThat(redaction.text("version 1.2.3 at 10:42:07")).isEqualTo("version 1.2.3 at 10:42:07");
    assertThat(new Redaction(true, new byte[] {9}).text("10.0.1.175"))
        .as("another archive has other names")
        .isNotEqualTo(first.substring(0, 9));
  }

  private static String unpacked(Path archive) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(archive))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void v125NoneOfFourSecretsIsInTheArchive() throws IOException {
    ObjectNode pod =
        (ObjectNode)
            Yaml.parse(
                """
                kind: Pod
                metadata:
                  name: p
                  annotations: {deploy/note: "uses t0ken-in-annotation", fairlead.dev/drain: "true"}
                spec:
                  imagePullSecrets: [{name: pull-s3cret}]
                  containers:
                  - name: c
                    env: [{name: PASSWORD, value: p4ssword-in-env}]
                    args: [--password=in-args-9]
                """);
    ObjectNode config =
        (ObjectNode)
            Yaml.parse(
                """
                kind: ConfigMap
                metadata: {name: coredns}
                data:
                  Corefile: |
                    . { forward . 10.0.0.1 }
                    -----BEGIN PRIVATE KEY-----
                    pem-in-c0nfigmap
                    -----END PRIVATE KEY-----
                """);
    DumpArchive archive = new DumpArchive(redaction(false), 1 << 20);
    archive.add("pods.json", PodReduction.of(pod));
    archive.add("coredns.json", config);
    archive.add("log.txt", "auth token=log-t0ken");
    Path file = directory.resolve("fairlead-dump-1.tar.gz");
    archive.write(file, NOW);
    assertThat(unpacked(file))
        .doesNotContain(
            "t0ken-in-annotation",
            "pull-s3cret",
            "p4ssword-in-env",
            "in-args-9",
            "pem-in-c0nfigmap",
            "log-t0ken")
        .contains("fairlead.dev/drain", "fairlead-dump-1/MANIFEST.json", "forward . 10.0.0.1");
  }

  @Test
  void aTarReadsIt() throws IOException, InterruptedException {
    DumpArchive archive = new DumpArchive(redaction(false), 1 << 20);
    archive.add("objects/services.json", Json.object().put("a", 1));
    archive.add("log.txt", "x".repeat(1000));
    Path file = directory.resolve("d.tar.gz");
    archive.write(file, NOW);
    Process tar =
        new ProcessBuilder("tar", "tzf", file.toString()).redirectErrorStream(true).start();
    String listed = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(listed).isZero();
    assertThat(listed.lines())
        .containsExactly("d/MANIFEST.json", "d/objects/services.json", "d/log.txt");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
  }

  @Test
  void whatHasNoRoomIsNamed() throws IOException {
    DumpArchive archive = new DumpArchive(redaction(false), 100);
    archive.add("small.txt", "x");
    archive.add("large.txt", "x".repeat(1000));
    archive.unseen("node d", "NO_NODE_API");
    Path file = directory.resolve("d.tar.gz");
    ObjectNode manifest = archive.write(file, NOW);
    assertThat(manifest.path("cut").toString()).isEqualTo("[\"large.txt\"]");
    assertThat(manifest.path("unseen").toString())
        .isEqualTo("[{\"what\":\"node d\",\"why\":\"NO_NODE_API\"}]");
    assertThat(unpacked(file)).contains("\"large.txt\"").doesNotContain("xxxx");
    assertThatThrownBy(() -> archive.write(file, NOW))
        .isInstanceOf(FileAlreadyExistsException.class);
  }
}
