package io.fairlead.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AuditLogTest {
  static final UserInfo JANE =
      new UserInfo("jane", "7", List.of("dev", "system:authenticated"), Map.of());

  @TempDir Path temporary;

  static Attributes asked(String verb, String group, String resource) {
    return new Attributes(JANE, verb, group, "v1", resource, "", "default", "x", "");
  }

  static AuditEvent event(String id, String uri) {
    return new AuditEvent(
        id,
        AuditEvent.Stage.RESPONSE_COMPLETE,
        asked("delete", "", "services"),
        null,
        uri,
        List.of("192.0.2.1"),
        "kubectl/v1.32",
        403,
        "services \"x\" is forbidden",
        "Forbidden",
        new Decision(false, ""),
        Instant.parse("2026-11-15T08:00:00Z"),
        Instant.parse("2026-11-15T08:00:00.001234Z"),
        Map.of());
  }

  @Test
  void aLineSaysWhoDidWhat() throws IOException {
    Path file = temporary.resolve("audit/audit.log");
    try (AuditLog log = AuditLog.open(file, AuditLog.Options.DEFAULT)) {
      log.log(event("a1", "/api/v1/namespaces/default/services/x"));
    }
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a1",\
            "stage":"ResponseComplete","requestURI":"/api/v1/namespaces/default/services/x",\
            "verb":"delete","user":{"username":"jane","uid":"7",\
            "groups":["dev","system:authenticated"]},"sourceIPs":["192.0.2.1"],\
            "userAgent":"kubectl/v1.32","objectRef":{"resource":"services","namespace":"default",\
            "name":"x","apiVersion":"v1"},"responseStatus":{"metadata":{},"status":"Failure",\
            "message":"services \\"x\\" is forbidden","reason":"Forbidden","code":403},\
            "requestReceivedTimestamp":"2026-11-15T08:00:00.000000Z",\
            "stageTimestamp":"2026-11-15T08:00:00.001234Z",\
            "annotations":{"authorization.k8s.io/decision":"forbid",\
            "authorization.k8s.io/reason":""}}
            """);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  record Uri(String name, String given, String written) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Uri> uris() {
    return Stream.of(
        new Uri("no token", "/a?watch=1", "/a?watch=1"),
        new Uri("token", "/a?token=abc", "/a?token=redacted"),
        new Uri("bearer", "/a?Bearer_Token=abc", "/a?Bearer_Token=redacted"),
        new Uri("behind a semicolon", "/a?x=1;token=abc&y", "/a?x=1;token=redacted&y"),
        new Uri("password", "/a?user=x&pass%77ord=abc", "/a?user=x&pass%77ord=redacted"),
        new Uri("among others", "/a?x=1&access_token=abc&y=2", "/a?x=1&access_token=redacted&y=2"),
        new Uri("an escaped name", "/a?t%6fken=abc", "/a?t%6fken=redacted"),
        new Uri("escaped whole", "/a?x&%61ccess%5Ftoken=abc&", "/a?x&%61ccess%5Ftoken=redacted&"),
        new Uri("a broken escape", "/a?t%zken=abc", "/a?t%zken=redacted"),
        new Uri("a second mark", "/a?b=?&token=abc", "/a?b=?&token=redacted"),
        new Uri("in capitals", "/a?ID_TOKEN=abc", "/a?ID_TOKEN=redacted"),
        new Uri("the token subresource stays", "/a/token?x=1", "/a/token?x=1"));
  }

  @ParameterizedTest
  @MethodSource("uris")
  void tokensInTheUrlAreBlottedOut(Uri row) {
    assertThat(Json.text(event("a", row.given()).toJson(), "requestURI")).isEqualTo(row.written());
  }

  @Test
  void aLineHoldsNoControlCharacters() {
    AuditEvent forged = event("a\u001b[2Jb\u007f\u0085\u009b\u2028\u202ec\r\nI1116 x", "/x");
    String line = new String(forged.toLine(), StandardCharsets.UTF_8);
    assertThat(line.chars()).noneMatch(Character::isISOControl).doesNotContain(0x2028, 0x202e);
    assertThat(Json.text(Json.parse(line.getBytes(StandardCharsets.UTF_8)), "auditID"))
        .isEqualTo("a\u001b[2Jb\u007f\u0085\u009b\u2028\u202ec\r\nI1116 x");
  }

  record Wanted(String name, Attributes asked, boolean wanted) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Wanted> wanted() {
    return Stream.of(
        new Wanted("create", asked("create", "", "services"), true),
        new Wanted("update", asked("update", "apps", "deployments"), true),
        new Wanted("patch", asked("patch", "", "nodes"), true),
        new Wanted("delete", asked("delete", "", "secrets"), true),
        new Wanted("deletecollection", asked("deletecollection", "", "pods"), true),
        new Wanted("get", asked("get", "", "secrets"), false),
        new Wanted("list", asked("list", "", "pods"), false),
        new Wanted("watch", asked("watch", "", "pods"), false),
        new Wanted(
            "review", asked("create", "authorization.k8s.io", "subjectaccessreviews"), false),
        new Wanted("token review", asked("create", "authentication.k8s.io", "tokenreviews"), false),
        new Wanted(
            "post to a path", new Attributes(JANE, "post", "", "", "", "", "", "", "/x"), true));
  }

  @ParameterizedTest
  @MethodSource("wanted")
  void changesAreWanted(Wanted row) {
    assertThat(AuditEvent.isWanted(row.asked())).isEqualTo(row.wanted());
  }

  @Test
  void everyEventOfManyThreadsIsWrittenOnceAcrossRotation() throws Exception {
    Path file = temporary.resolve("audit.log");
    int threads = 4;
    int each = 500;
    AuditLog.Options options = new AuditLog.Options(64 << 10, 100, 16, Duration.ofSeconds(30));
    try (AuditLog log = AuditLog.open(file, options)) {
      List<Thread> writers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String prefix = "t" + t + "-";
        writers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int i = 0; i < each; i++) {
                        log.log(event(prefix + i, "/x"));
                      }
                    }));
      }
      for (Thread writer : writers) {
        writer.join();
      }
    }
    Set<String> ids = new HashSet<>();
    int files = 0;
    try (Stream<Path> all = Files.list(temporary)) {
      for (Path one : all.toList()) {
        files++;
        assertThat(Files.size(one)).isLessThanOrEqualTo(64 << 10);
        for (String line : Files.readAllLines(one)) {
          String id = Json.text(Json.parse(line.getBytes(StandardCharsets.UTF_8)), "auditID");
          assertThat(ids.add(String.valueOf(id))).isTrue();
        }
      }
    }
    assertThat(ids).hasSize(threads * each);
    assertThat(files).isGreaterThan(5);
  }

  @Test
  void onlySoManyBackupsAreKept() throws IOException {
    Path file = temporary.resolve("audit.log");
    try (AuditLog log =
        AuditLog.open(file, new AuditLog.Options(2000, 2, 100, Duration.ofSeconds(30)))) {
      for (int i = 0; i < 50; i++) {
        log.log(event("e" + i, "/x"));
      }
    }
    try (Stream<Path> all = Files.list(temporary)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("audit.log", "audit.log.1", "audit.log.2");
    }
    assertThat(Files.readString(file)).contains("\"e49\"");
  }

  @Test
  void restartAppends() throws IOException {
    Path file = temporary.resolve("audit.log");
    for (String id : List.of("one", "two")) {
      try (AuditLog log = AuditLog.open(file, AuditLog.Options.DEFAULT)) {
        log.log(event(id, "/x"));
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  @Test
  void aFileThatCannotBeOpenedIsNamed() throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("taken"));
    assertThatThrownBy(() -> AuditLog.open(directory, AuditLog.Options.DEFAULT))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot write the audit log");
  }

  @Test
  void aFailedStepDoesNotEndTheLog() throws IOException {
    Path file = temporary.resolve("audit.log");
    try (AuditLog log = AuditLog.open(file, AuditLog.Options.DEFAULT)) {
      assertThat(LoopFaults.failOnce(AuditLog.LOOP)).isEqualTo(1);
      log.log(event("one", "/x"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(Files.readString(file)).contains("\"one\""));
      log.log(event("two", "/x"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(Files.readString(file)).contains("\"two\""));
    }
  }

  @Test
  void eventsAfterCloseAreIgnored() throws IOException {
    Path file = temporary.resolve("audit.log");
    AuditLog log = AuditLog.open(file, AuditLog.Options.DEFAULT);
    log.close();
    log.close();
    log.log(event("late", "/x"));
    assertThat(Files.readString(file)).isEmpty();
  }
}
