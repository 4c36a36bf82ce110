package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/// The rows about service-account tokens, on a server with real users and a clock that can be put
/// forward.
final class TokenRows {
  private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
  private static final String SELF = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

  private TokenRows() {}

  static void addTo(Vectors table) {
    table.row("P19", "a token for somebody else", () -> with(TokenRows::wrongAudience));
    table.row("P19", "the account is gone", () -> with(TokenRows::deletedAccount));
    table.row("P19", "the token is too old", () -> with(TokenRows::expired));
    table.row("P21", "a token for five minutes", () -> with(TokenRows::tooShort));
  }

  private record Scene(TestServer server, AtomicReference<Instant> now) {
    String token(String account, String spec) {
      server.send("POST", ACCOUNTS).body("{'metadata':{'name':'" + account + "'}}").now();
      Answer answer = server.post(ACCOUNTS + "/" + account + "/token", "{'spec':{" + spec + "}}");
      assertThat(answer.code()).as(answer.text()).isEqualTo(201);
      return answer.at("status", "token");
    }

    Answer who(String token) {
      return server.send("POST", SELF).header("Authorization", "Bearer " + token).body("{}").now();
    }

    void isKnown(String token, String account) {
      Answer answer = who(token);
      assertThat(answer.code()).as(answer.text()).isEqualTo(201);
      assertThat(answer.at("status", "userInfo", "username"))
          .isEqualTo("system:serviceaccount:default:" + account);
    }

    void isRefused(String token) {
      Answer answer = who(token);
      assertThat(answer.code()).isEqualTo(401);
      assertThat(answer.at("reason")).isEqualTo("Unauthorized");
      assertThat(answer.message()).isEqualTo("Unauthorized");
    }
  }

  private interface Act {
    void run(Scene scene) throws Exception;
  }

  private static void with(Act act) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-tokens");
    try {
      Path tokens = Files.writeString(directory.resolve("tokens"), "admin,root,1,system:masters\n");
      AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
      try (TestServer server =
          TestServer.startSecured(directory.resolve("pki"), tokens, now::get)) {
        act.run(new Scene(server, now));
      }
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void wrongAudience(Scene scene) {
    scene.isKnown(scene.token("one", ""), "one");
    scene.isRefused(scene.token("one", "'audiences':['vault']"));
  }

  private static void deletedAccount(Scene scene) {
    String token = scene.token("two", "");
    scene.isKnown(token, "two");
    scene.server().send("DELETE", ACCOUNTS + "/two").now();
    scene.isRefused(token);
    // An account of the same name is another account.
    String fresh = scene.token("two", "");
    scene.isRefused(token);
    scene.isKnown(fresh, "two");
  }

  private static void expired(Scene scene) {
    String token = scene.token("three", "'expirationSeconds':600");
    scene.isKnown(token, "three");
    scene.now().updateAndGet(now -> now.plus(Duration.ofMinutes(12)));
    scene.isRefused(token);
  }

  private static void tooShort(Scene scene) {
    scene.server().post(ACCOUNTS, "{'metadata':{'name':'four'}}");
    Answer answer =
        scene.server().post(ACCOUNTS + "/four/token", "{'spec':{'expirationSeconds':300}}");
    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.message())
        .isEqualTo(
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid"
                + " value: 300: may not specify a duration less than 10 minutes");
  }
}
