package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing of a request's body reaches the audit log, also when the request is refused because of
/// its body and the answer quotes it.
class AuditAttackTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String SECRET = "hunter2-plain-text";

  @TempDir Path directory;

  record Refused(String method, String path, String type, String body) {}

  static Stream<Refused> refused() {
    return Stream.of(
        new Refused(
            "PATCH", SECRETS + "/s", "application/merge-patch+json", "{'data':'" + SECRET + "'}"),
        new Refused(
            "PATCH",
            SECRETS + "/s",
            "application/merge-patch+json",
            "{'stringData':{'" + SECRET + " ':'x'}}"),
        new Refused("PATCH", SECRETS + "/s", "application/strategic-merge-patch+json", SECRET),
        new Refused(
            "PATCH",
            SECRETS + "/s",
            "application/json-patch+json",
            "[{'op':'test','path':'/data','value':'" + SECRET + "'}]"),
        new Refused(
            "PATCH",
            SECRETS + "/s",
            "application/json-patch+json",
            "[{'op':'" + SECRET + "','path':'/data'}]"),
        new Refused(
            "PATCH",
            SECRETS + "/s?fieldManager=m",
            "application/apply-patch+yaml",
            "{'apiVersion':'" + SECRET + "'}"),
        new Refused("POST", SECRETS, "application/json", "{'metadata':{'name':'" + SECRET + "!'}}"),
        new Refused("POST", SECRETS, "application/json", "{'data':{'a':'" + SECRET + "'}}"),
        new Refused(
            "PUT", SECRETS + "/s", "application/json", "{'metadata':{'name':'" + SECRET + "'}}"));
  }

  @Test
  void noPartOfABodyIsWritten() throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), "admin,root,1,system:masters\n");
    Path log = directory.resolve("audit.log");
    int requests = 0;
    try (TestServer server = TestServer.startAudited(directory.resolve("pki"), tokens, log)) {
      assertThat(server.post(SECRETS, "{'metadata':{'name':'s'}}").code()).isEqualTo(201);
      for (Refused each : refused().toList()) {
        TestServer.Answer answer =
            server
                .send(each.method(), each.path())
                .header("Content-Type", each.type())
                .body(each.body())
                .now();
        assertThat(answer.code()).as(answer.text()).isBetween(400, 499);
        requests++;
      }
      server.send("DELETE", SECRETS + "/none?t%6fken=" + SECRET).now();
      for (String query : List.of("token=" + SECRET + "%zz", "token=" + SECRET + "&x=%zz")) {
        String answer = raw(server, "DELETE " + SECRETS + "/none?" + query);
        assertThat(answer).startsWith("HTTP/1.1 400 ").doesNotContain(SECRET);
        requests++;
      }
    }
    assertThat(Files.readString(log)).doesNotContain(SECRET);
    assertThat(Files.readAllLines(log)).hasSize(requests + 2);
  }

  /// The answer to a request that clients which keep the rules of URIs cannot send.
  private static String raw(TestServer server, String line) throws Exception {
    URI uri = URI.create(server.server.url());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String head = line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
