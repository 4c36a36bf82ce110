package io.fairlead.server.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.stream.NodeDirectory;
import io.fairlead.server.stream.ServiceAddressResolver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Webhooks by a real TLS connection, and what one may not do to the server that asks it.
class WebhookCallerTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path keys;

  /// One Service `hook` with one ready endpoint, and the API at 192.0.2.1:6443.
  private record Cluster(String endpoint, int port) implements ClusterReader {
    @Override
    public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
      return switch (plural) {
        case "services" ->
            name.equals("hook")
                ? tree("{'metadata':{'name':'hook'},'spec':{'ports':[{'port':443}]}}")
                : null;
        case "endpoints" ->
            tree("{'subsets':[{'addresses':[{'ip':'192.0.2.1'}],'ports':[{'port':6443}]}]}");
        default -> null;
      };
    }

    @Override
    public List<ObjectNode> list(String group, String plural, String namespace) {
      return plural.equals("endpointslices")
          ? List.of(
              tree(
                  "{'metadata':{'labels':{'kubernetes.io/service-name':'hook'}},"
                      + "'ports':[{'name':'','port':"
                      + port
                      + "}],'endpoints':[{'addresses':['"
                      + endpoint
                      + "']}]}"))
          : List.of();
    }

    @Override
    public List<Map<String, String>> labels(String group, String plural, String namespace) {
      return List.of();
    }

    @Override
    public boolean isClaimed(String key) {
      return false;
    }
  }

  private static ObjectNode tree(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(UTF_8));
  }

  private static WebhookCaller caller(String endpoint, int port) {
    Cluster cluster = new Cluster(endpoint, port);
    return new WebhookCaller(
        new ServiceAddressResolver(
            new NodeDirectory(cluster, Optional.empty()), cluster, new Random(1)));
  }

  private static ObjectNode call(WebhookCaller caller, String config, Duration timeout)
      throws WebhookException {
    return caller.call(WebhookClientConfig.of(tree(config)), tree("{'kind':'Question'}"), timeout);
  }

  private static void assertFails(WebhookCaller caller, String config, String... parts) {
    assertThatThrownBy(() -> call(caller, config, LONG))
        .isInstanceOf(WebhookException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void documentsGoThereAndBackOverOneConnection() throws Exception {
    try (WebhookCaller caller = caller("192.0.2.9", 443);
        TestWebhook hook =
            TestWebhook.serving(
                keys,
                (_, exchange) -> {
                  assertThat(exchange.method()).isEqualTo("POST");
                  assertThat(exchange.header("Content-Type")).isEqualTo("application/json");
                  byte[] body = exchange.body().readAllBytes();
                  TestWebhook.send(exchange, 200, body);
                })) {
      for (int i = 0; i < 3; i++) {
        assertThat(call(caller, hook.clientConfig(), LONG)).isEqualTo(tree("{'kind':'Question'}"));
      }
      assertThat(hook.targets()).containsOnly("/hook?timeout=60s");
      assertThat(hook.peers()).hasSize(3).containsOnly(hook.peers().getFirst());
    }
  }

  @Test
  void aConnectionThatTheWebhookClosedIsMadeAgain() throws Exception {
    try (WebhookCaller caller = caller("192.0.2.9", 443)) {
      int port;
      String config;
      try (TestWebhook first =
          TestWebhook.serving(
              keys, (_, exchange) -> TestWebhook.send(exchange, 200, "{}".getBytes(UTF_8)))) {
        port = first.port();
        config = first.clientConfig();
        assertThat(call(caller, config, LONG)).isEqualTo(tree("{}"));
      }
      assertFails(
          caller,
          config,
          "Post \"https://127.0.0.1:" + port + "/hook?timeout=60s\": dial tcp 127.0.0.1:" + port,
          "connection refused");
    }
  }

  @Test
  void aWebhookThatDoesNotAnswerIsGivenUp() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (WebhookCaller caller = caller("192.0.2.9", 443);
        TestWebhook hook = TestWebhook.serving(keys, (_, _) -> over.await())) {
      assertThatThrownBy(() -> call(caller, hook.clientConfig(), Duration.ofSeconds(1)))
          .isInstanceOf(WebhookException.class)
          .hasMessage(
              "Post \"https://127.0.0.1:"
                  + hook.port()
                  + "/hook?timeout=1s\": context deadline exceeded");
      over.countDown();
    }
  }

  @Test
  void answersThatAreNoneAreSaid() throws Exception {
    byte[] huge = new byte[(3 << 20) + 2];
    try (WebhookCaller caller = caller("192.0.2.9", 443);
        TestWebhook redirecting =
            TestWebhook.serving(
                keys.resolve("a"),
                (_, exchange) -> {
                  exchange.setHeader("Location", "https://192.0.2.1/");
                  TestWebhook.send(exchange, 302, new byte[0]);
                });
        TestWebhook failing =
            TestWebhook.serving(
                keys.resolve("b"),
                (_, exchange) -> TestWebhook.send(exchange, 500, "went wrong".getBytes(UTF_8)));
        TestWebhook missing =
            TestWebhook.serving(
                keys.resolve("c"), (_, exchange) -> TestWebhook.send(exchange, 404, new byte[0]));
        TestWebhook talking =
            TestWebhook.serving(
                keys.resolve("d"), (_, exchange) -> TestWebhook.send(exchange, 200, huge));
        TestWebhook mumbling =
            TestWebhook.serving(
                keys.resolve("e"),
                (_, exchange) -> TestWebhook.send(exchange, 200, "no".getBytes(UTF_8)))) {
      assertFails(
          caller,
          redirecting.clientConfig(),
          "the server responded with the status code 302 but did not return more information");
      assertFails(
          caller,
          failing.clientConfig(),
          "an error on the server (\"went wrong\") has prevented the request from succeeding");
      assertFails(
          caller, missing.clientConfig(), "the server could not find the requested resource");
      assertFails(caller, talking.clientConfig(), "the answer is larger than 3145728 bytes");
      assertFails(caller, mumbling.clientConfig(), "couldn't get version/kind; json parse error");
    }
  }

  @Test
  void nothingIsSentToWhoHasAnotherCertificate() throws Exception {
    try (WebhookCaller caller = caller("192.0.2.9", 443);
        TestWebhook hook =
            TestWebhook.serving(
                keys.resolve("a"), (_, exchange) -> TestWebhook.send(exchange, 200, new byte[0]));
        TestWebhook other =
            TestWebhook.serving(
                keys.resolve("b"), (_, exchange) -> TestWebhook.send(exchange, 200, new byte[0]))) {
      String crossed =
          hook.clientConfig().replaceFirst("127.0.0.1:[0-9]+", "127.0.0.1:" + other.port());
      assertFails(caller, crossed, "tls: failed to verify certificate: x509");
      assertThat(other.targets()).isEmpty();
      String otherName = hook.clientConfig().replace("127.0.0.1:", "127.0.0.2:");
      assertThatThrownBy(() -> call(caller, otherName, LONG)).isInstanceOf(WebhookException.class);
      assertThat(hook.targets()).isEmpty();
    }
  }

  @Test
  void aServiceDoesNotLeadToThisMachine() throws Exception {
    try (WebhookCaller caller = caller("127.0.0.1", 9443)) {
      String service = "{'service':{'namespace':'default','name':'hook','path':'/x'}}";
      assertFails(
          caller,
          service,
          "Post \"https://hook.default.svc:443/x?timeout=60s\": address not allowed");
      assertFails(
          caller,
          service.replace("'hook'", "'none'"),
          "Post \"https://none.default.svc:443/x?timeout=60s\": service \"none\" not found");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://169.254.169.254/",
        "https://0.0.0.0:443/",
        "https://[fe80::1]/",
        "https://[::ffff:0:a9fe:a9fe]/",
        "https://224.0.0.1/",
        "https://192.0.2.1:6443/"
      })
  void urlsDoNotLeadToMetadataOrApiServers(String url) throws Exception {
    try (WebhookCaller caller = caller("192.0.2.9", 443)) {
      assertFails(caller, "{'url':'" + url + "'}", "address not allowed");
    }
  }
}
