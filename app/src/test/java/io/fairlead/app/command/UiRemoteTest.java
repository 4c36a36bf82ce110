package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.app.Fairlead;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import io.fairlead.ui.UiOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// The page on the API's own port, for other machines: who gets in there, and what is refused. A
/// browser's side of it is sent byte by byte.
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UiRemoteTest {
  private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
  private static final String COOKIE = "__Secure-fairlead-ui";
  private static final String[] NONE = {};

  @TempDir static Path directory;
  private Fairlead fairlead;
  private ClientConfig admin;

  @BeforeAll
  void start() throws IOException {
    fairlead = UiCommandTest.start(directory, Optional.of(new UiOptions(0, false, true)));
    admin = Kubeconfig.read(directory.resolve("kubeconfig")).connection();
    String account =
        "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"viewer\"}}";
    assertThat(send(admin.identity(), "POST", ACCOUNTS, account).code()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    fairlead.close();
  }

  private record Answer(int code, Map<String, String> headers, byte[] body) {
    ObjectNode json() {
      return Json.parseObject(body);
    }

    String cookie() {
      return headers.getOrDefault("set-cookie", "").split(";")[0];
    }
  }

  private static int port(String url) {
    return URI.create(url).getPort();
  }

  private Answer anyone(String method, String path, String body, String... headers)
      throws IOException {
    return send(new ClientIdentity.Anonymous(), method, path, body, headers);
  }

  private Answer send(
      ClientIdentity who, String method, String path, String body, String... headers)
      throws IOException {
    int port = port(fairlead.url());
    try (Socket socket =
        TlsContexts.of(new Trust.Anyone(), who)
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), port)) {
      return speak(socket, port, method, path, body, headers);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Answer speak(
      Socket socket, int port, String method, String path, String body, String... headers)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("Host", "127.0.0.1:" + port);
    all.put("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
    socket.setSoTimeout(60_000);
    socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    InputStream in = new BufferedInputStream(socket.getInputStream());
    int code = Integer.parseInt(line(in).split(" ")[1]);
    Map<String, String> said = new LinkedHashMap<>();
    for (String each = line(in); !each.isEmpty(); each = line(in)) {
      int colon = each.indexOf(':');
      said.put(each.substring(0, colon).toLowerCase(Locale.ROOT), each.substring(colon + 2));
    }
    int length = Integer.parseInt(said.getOrDefault("content-length", "0"));
    return new Answer(code, said, in.readNBytes(length));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n' && b >= 0; b = in.read()) {
      line.append((char) b);
    }
    return line.toString().stripTrailing();
  }

  private String token() throws IOException {
    Answer made =
        send(
            admin.identity(),
            "POST",
            ACCOUNTS + "/viewer/token",
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\","
                + "\"spec\":{\"expirationSeconds\":600}}");
    assertThat(made.code()).isEqualTo(201);
    return Json.textOr(made.json(), "", "status", "token");
  }

  private Answer login(String token, String... headers) throws IOException {
    return anyone("POST", "/ui/login", Json.object().put("token", token).toString(), headers);
  }

  @Test
  void aTokenLetsItsUserInUntilItEnds() throws IOException {
    Answer in = login(token());
    assertThat(in.code()).isEqualTo(200);
    assertThat(in.headers().get("set-cookie"))
        .startsWith(COOKIE + "=")
        .contains("HttpOnly", "Secure", "SameSite=Strict", "Path=/ui");
    ObjectNode session = in.json();
    assertThat(Json.textOr(session, "", "user")).isEqualTo("system:serviceaccount:default:viewer");
    assertThat(Instant.parse(Json.textOr(session, "", "until")))
        .isBefore(Instant.now().plusSeconds(601));
    assertThat(session.path("rights").path("trace").asBoolean()).isFalse();
    Answer services = anyone("GET", "/ui/api/v1/services", "", "Cookie", in.cookie());
    assertThat(services.code()).isEqualTo(200);
    assertThat(services.json().path("forbidden").asBoolean()).isTrue();
    assertThat(services.json().path("total").asInt(-1)).isZero();
  }

  @Test
  void aClientCertificateLetsItsUserIn() throws IOException {
    Answer in = send(admin.identity(), "POST", "/ui/login", "{}");
    assertThat(in.code()).isEqualTo(200);
    assertThat(Json.textOr(in.json(), "", "user")).isEqualTo("system:admin");
    Answer services = anyone("GET", "/ui/api/v1/services", "", "Cookie", in.cookie());
    assertThat(services.json().path("total").asInt(0)).isPositive();
  }

  @Test
  void thePageIsThereForAllAndItsDataForNobody() throws IOException {
    Answer page = anyone("GET", "/ui/svc/default/x", "", "Accept", "text/html");
    assertThat(page.code()).isEqualTo(200);
    assertThat(page.headers())
        .containsKeys(
            "content-security-policy",
            "x-content-type-options",
            "referrer-policy",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "permissions-policy");
    assertThat(page.headers().keySet()).noneMatch(name -> name.startsWith("access-control-"));
    for (String path : new String[] {"session", "services", "stream?topic=services", "doctor"}) {
      assertThat(anyone("GET", "/ui/api/v1/" + path, "").code()).as(path).isEqualTo(401);
      // A certificate or a token alone is no session: a browser sends the first by itself.
      assertThat(send(admin.identity(), "GET", "/ui/api/v1/" + path, "").code()).isEqualTo(401);
      assertThat(
              anyone("GET", "/ui/api/v1/" + path, "", "Authorization", "Bearer " + token()).code())
          .isEqualTo(401);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "127.0.0.1:6443, 200",
    "127.0.0.1, 200",
    "LOCALHOST:8443, 200",
    "kubernetes.default.svc, 200",
    "evil.example, 421",
    "evil.example:6443, 421",
    "127.0.0.1.evil.example, 421"
  })
  void onlyNamesThatTheCertificateProvesLeadToThePage(String host, int code) throws IOException {
    assertThat(anyone("GET", "/ui/", "", "Host", host).code()).isEqualTo(code);
    if (code == 421) {
      assertThat(send(admin.identity(), "POST", "/ui/login", "{}", "Host", host).code())
          .isEqualTo(421);
    }
  }

  /// Another site's page makes the browser send its certificate along: that must not log it in.
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "Origin, https://evil.example",
    "Origin, null",
    "Origin, http://127.0.0.1",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
    "Content-Type, text/plain",
    "Content-Type, application/x-www-form-urlencoded"
  })
  void anotherSiteCannotLogABrowserIn(String header, String value) throws IOException {
    Answer refused = send(admin.identity(), "POST", "/ui/login", "{}", header, value);
    assertThat(refused.code()).isEqualTo(403);
    assertThat(Json.textOr(refused.json(), "", "reason")).isEqualTo("CrossSite");
    assertThat(refused.headers()).doesNotContainKey("set-cookie");
  }

  @Test
  void itsOwnPageIsHeardAndBringsTheSessionsToken() throws IOException {
    String origin = "https://127.0.0.1:" + port(fairlead.url());
    Answer in = login(token(), "Origin", origin, "Sec-Fetch-Site", "same-origin");
    assertThat(in.code()).isEqualTo(200);
    String secret = Json.textOr(in.json(), "", "token");
    String[] good = {"Cookie", in.cookie(), "Origin", origin, "X-Fairlead-Token", secret};
    Answer traced = anyone("POST", "/ui/api/v1/traces", "{}", "Cookie", in.cookie());
    assertThat(Json.textOr(traced.json(), "", "reason")).isEqualTo("CrossSite");
    assertThat(anyone("POST", "/ui/api/v1/changes", "{}", good).code()).isEqualTo(404);
    assertThat(anyone("POST", "/ui/api/v1/explanations", "{}", good).code()).isEqualTo(403);
    assertThat(anyone("POST", "/ui/logout", "{}", good).code()).isEqualTo(200);
    assertThat(anyone("GET", "/ui/api/v1/session", "", "Cookie", in.cookie()).code())
        .isEqualTo(401);
  }

  @Test
  void whatOpensOneListenerOpensNothingAtTheOther() throws IOException {
    ObjectNode link = link();
    String url = Json.textOr(link, "", "url");
    String code = url.substring(url.indexOf("#login=") + 7);
    int loopback = port(url.substring(0, url.indexOf('#')));
    String body = Json.object().put("code", code).toString();
    assertThat(anyone("POST", "/ui/login", body).code()).as("a code from afar").isEqualTo(401);
    String here = plain(loopback, "POST", "/ui/login", body, NONE).cookie();
    assertThat(here).startsWith("fairlead-ui=");
    String secret = here.substring(here.indexOf('=') + 1);
    for (String name : new String[] {"fairlead-ui", COOKIE}) {
      assertThat(anyone("GET", "/ui/api/v1/session", "", "Cookie", name + "=" + secret).code())
          .isEqualTo(401);
    }
    String far = login(token()).cookie();
    String other = far.substring(far.indexOf('=') + 1);
    for (String name : new String[] {"fairlead-ui", COOKIE}) {
      Answer tried = plain(loopback, "GET", "/ui/api/v1/session", "", "Cookie", name + "=" + other);
      assertThat(tried.code()).isEqualTo(401);
    }
  }

  private ObjectNode link() {
    CommandLineHarness.Result answer =
        new CommandLineHarness()
            .run("ui", "-o", "json", "--kubeconfig", directory.resolve("kubeconfig").toString());
    return Json.parseObject(answer.out().getBytes(StandardCharsets.UTF_8));
  }

  private static Answer plain(int port, String method, String path, String body, String... headers)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return speak(socket, port, method, path, body, headers);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b.c"})
  void aWrongTokenOpensNothing(String token) throws IOException {
    Answer wrong = login(token);
    assertThat(wrong.code()).isEqualTo(401);
    assertThat(wrong.headers()).doesNotContainKey("set-cookie");
  }

  @Test
  void anAdministratorPutsAllBrowsersOut() throws IOException {
    String cookie = login(token()).cookie();
    CommandLineHarness.Result ended =
        new CommandLineHarness()
            .run("ui", "--end-all", "--kubeconfig", directory.resolve("kubeconfig").toString());
    assertThat(ended.exit()).isZero();
    assertThat(anyone("GET", "/ui/api/v1/session", "", "Cookie", cookie).code()).isEqualTo(401);
  }

  @Test
  void withoutTheFlagThePortHasNoPage(@TempDir Path other) throws IOException {
    try (Fairlead alone = UiCommandTest.start(other, Optional.of(new UiOptions(0, false)))) {
      ClientIdentity root = Kubeconfig.read(other.resolve("kubeconfig")).connection().identity();
      int port = port(alone.url());
      for (ClientIdentity who : new ClientIdentity[] {new ClientIdentity.Anonymous(), root}) {
        try (Socket socket =
            TlsContexts.of(new Trust.Anyone(), who)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port)) {
          assertThat(speak(socket, port, "GET", "/ui/", "", NONE).code()).isIn(403, 404);
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
