package io.fairlead.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.ui.session.Logins;
import io.fairlead.ui.session.PeerUids;
import io.fairlead.ui.session.RandomTexts;
import io.fairlead.ui.session.Sessions;
import io.fairlead.ui.session.UiSession;
import io.fairlead.ui.session.WrongLogins;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Codes and sessions: who is let in, for how long, and what opens nothing. The numbers are those
/// of the vectors of spec/ui.md.
class UiSessionTest extends UiServerFixture {
  @Test
  void fiveWrongCodesCloseLoginsForAMinute() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertThat(trade("guess" + i).code()).isEqualTo(401);
    }
    assertThat(trade(code(OptionalInt.empty())).code()).isEqualTo(401);
    now.updateAndGet(at -> at.plusSeconds(61));
    assertThat(trade(code(OptionalInt.empty())).code()).isEqualTo(200);
  }

  @Test
  void aUserGetsTenCodesAMinute() {
    for (int i = 0; i < 10; i++) {
      assertThat(server.link(ADMIN, OptionalInt.empty())).isPresent();
    }
    assertThat(server.link(ADMIN, OptionalInt.empty())).isEmpty();
    now.updateAndGet(at -> at.plusSeconds(60));
    assertThat(server.link(ADMIN, OptionalInt.empty())).isPresent();
  }

  @Test
  void sessionsEndWhenIdleWhenOldAndWhenLeft() throws IOException {
    Visitor idle = visitor();
    now.updateAndGet(at -> at.plus(Duration.ofMinutes(61)));
    assertThat(page.get("/ui/api/v1/session", "Cookie", idle.cookie()).code()).isEqualTo(401);
    Visitor left = visitor();
    assertThat(
            page.post("/ui/logout", "{}", "Cookie", left.cookie(), "X-Fairlead-Token", left.token())
                .code())
        .isEqualTo(200);
    assertThat(page.get("/ui/api/v1/session", "Cookie", left.cookie()).code()).isEqualTo(401);
  }

  @Test
  void aSessionLastsEightHoursHoweverMuchItIsUsed() throws IOException {
    Visitor busy = visitor();
    for (int minutes = 0; minutes < 480; minutes += 30) {
      assertThat(page.get("/ui/api/v1/session", "Cookie", busy.cookie()).code()).isEqualTo(200);
      now.updateAndGet(at -> at.plus(Duration.ofMinutes(30)));
    }
    assertThat(page.get("/ui/api/v1/session", "Cookie", busy.cookie()).code()).isEqualTo(401);
  }

  @Test
  void theSessionThatWasIdleForLongestMakesRoom() throws IOException {
    Visitor first = visitor();
    Visitor second = visitor();
    assertThat(page.get("/ui/api/v1/session", "Cookie", first.cookie()).code()).isEqualTo(200);
    while (server.sessions() < 256) {
      now.updateAndGet(at -> at.plusSeconds(7));
      Visitor _ = visitor();
    }
    now.updateAndGet(at -> at.plusSeconds(7));
    Visitor _ = visitor();
    assertThat(server.sessions()).isEqualTo(256);
    assertThat(page.get("/ui/api/v1/session", "Cookie", second.cookie()).code()).isEqualTo(401);
    assertThat(page.get("/ui/api/v1/session", "Cookie", first.cookie()).code()).isEqualTo(200);
  }

  @Test
  void aCodeOfAnotherUserOfTheMachineOpensNothing() throws IOException {
    peer.set(OptionalInt.of(1001));
    String code = code(OptionalInt.of(1000));
    assertThat(trade(code).code()).isEqualTo(403);
    assertThat(server.sessions()).isZero();
    peer.set(OptionalInt.of(1000));
    assertThat(trade(code).code()).as("it counts once").isEqualTo(401);
  }

  @Test
  void aCookieOfOneSessionAndTheTokenOfAnotherDoNotGoTogether() throws IOException {
    Visitor one = visitor();
    Visitor other = visitor();
    PageClient.Answer answer =
        page.post(
            "/ui/api/v1/traces", "{}", "Cookie", one.cookie(), "X-Fairlead-Token", other.token());
    assertThat(Json.textOr(answer.json(), "", "reason")).isEqualTo("CrossSite");
    assertThat(host.ran).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"PUT", "DELETE", "PATCH", "OPTIONS"})
  void noOtherMethodDoesAnything(String method) throws IOException {
    Visitor visitor = visitor();
    for (String path : List.of("/ui/api/v1/session", "/ui/login", "/ui/")) {
      PageClient.Answer answer =
          page.send(
              method,
              path,
              "{}",
              "Cookie",
              visitor.cookie(),
              "X-Fairlead-Token",
              visitor.token(),
              "Content-Type",
              "application/json");
      assertThat(answer.code()).as(path).isBetween(404, 405);
      assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control-"));
    }
  }

  @Test
  void aSessionEndsWithTheCredentialItWasMadeWith() {
    Sessions sessions = new Sessions(new RandomTexts(new SecureRandom()), now::get);
    Instant end = now.get().plusSeconds(600);
    UiSession session =
        sessions.open(new Logins.Grant(ADMIN, OptionalInt.empty(), Optional.of(end)));
    assertThat(session.until()).isEqualTo(end);
    now.updateAndGet(at -> at.plusSeconds(599));
    assertThat(sessions.find(session.cookie())).isPresent();
    now.updateAndGet(at -> at.plusSeconds(1));
    assertThat(sessions.find(session.cookie())).isEmpty();
  }

  @Test
  void fiveWrongLoginsFromAfarCloseThoseOfTheirAddressAlone() {
    WrongLogins wrong = new WrongLogins(now::get);
    for (int i = 0; i < 4; i++) {
      wrong.count("192.0.2.1");
    }
    assertThat(wrong.isClosed("192.0.2.1")).isFalse();
    wrong.count("192.0.2.1");
    assertThat(wrong.isClosed("192.0.2.1")).isTrue();
    assertThat(wrong.isClosed("192.0.2.2")).isFalse();
    now.updateAndGet(at -> at.plusSeconds(60));
    assertThat(wrong.isClosed("192.0.2.1")).isFalse();
  }

  @Test
  void thePageForOtherMachinesIsNeverServedInTheClear() throws Exception {
    RemoteUsers anyone =
        new RemoteUsers() {
          @Override
          public boolean isNamed(String name) {
            return true;
          }

          @Override
          public Optional<Entrant> ofToken(String token) {
            return Optional.of(new Entrant(ADMIN, Optional.empty()));
          }

          @Override
          public Optional<Entrant> ofCertificate(HttpServerExchange exchange) {
            return Optional.empty();
          }
        };
    try (HttpServer clear = HttpServer.start("127.0.0.1", 0, null, server.remote(anyone))) {
      PageClient client = new PageClient(clear.port());
      assertThat(client.get("/ui/").code()).isEqualTo(421);
      assertThat(client.post("/ui/login", "{\"token\":\"x\"}").code()).isEqualTo(421);
      assertThat(server.sessions()).isZero();
    }
  }

  @Test
  void vector24AnotherUserOfTheMachineIsNotLetIn() throws IOException {
    peer.set(OptionalInt.of(1000));
    PageClient.Answer in = trade(code(OptionalInt.of(1000)));
    assertThat(in.code()).isEqualTo(200);
    peer.set(OptionalInt.of(1001));
    assertThat(page.get("/ui/api/v1/session", "Cookie", in.cookie()).code()).isEqualTo(403);
    peer.set(OptionalInt.of(0));
    assertThat(page.get("/ui/api/v1/session", "Cookie", in.cookie()).code()).isEqualTo(200);
    peer.set(OptionalInt.empty());
    assertThat(page.get("/ui/api/v1/session", "Cookie", in.cookie()).code()).isEqualTo(403);
  }

  @Test
  void theKernelTellsWhoIsAtTheOtherEnd() throws IOException {
    try (Socket socket = page.open("/ui/")) {
      OptionalInt uid =
          PeerUids.ofKernel().of(socket.getLocalSocketAddress(), socket.getRemoteSocketAddress());
      Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      assertThat(uid).isEqualTo(OptionalInt.of((Integer) own));
    }
  }

  @Test
  void theKernelTellsWhoIsAtTheOtherEndFromEveryAddress() throws IOException {
    // A user of this machine who binds to another address than loopback is one of its users still.
    InetAddress other = otherAddress();
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(other, 0));
      socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
      OptionalInt uid =
          PeerUids.ofKernel().of(socket.getLocalSocketAddress(), socket.getRemoteSocketAddress());
      Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      assertThat(uid).isEqualTo(OptionalInt.of((Integer) own));
    }
  }

  @Test
  void aPeerThatHasClosedItsSocketIsNotRoot() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      SocketAddress from;
      SocketAddress to;
      try (Socket peer = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
        from = peer.getLocalSocketAddress();
        to = peer.getRemoteSocketAddress();
      }
      try (Socket accepted = listener.accept()) {
        assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        assertThat(PeerUids.ofKernel().of(from, to)).isEmpty();
      }
    }
  }

  private static InetAddress otherAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(
            each ->
                each instanceof Inet4Address
                    && !each.isLoopbackAddress()
                    && !each.isLinkLocalAddress())
        .findFirst()
        .orElseGet(() -> Assumptions.abort("this machine has no address but loopback"));
  }

  @Test
  void vector18ACodeLetsOneBrowserInOnce() throws IOException {
    String code = code(OptionalInt.empty());
    PageClient.Answer in = trade(code);
    assertThat(in.code()).isEqualTo(200);
    assertThat(in.header("Set-Cookie"))
        .startsWith("fairlead-ui=")
        .contains("HttpOnly", "SameSite=Strict", "Path=/ui", "Max-Age=28800");
    long began = System.nanoTime();
    PageClient.Answer again = trade(code);
    assertThat(again.code()).isEqualTo(401);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(299));
    String old = code(OptionalInt.empty());
    now.updateAndGet(at -> at.plusSeconds(61));
    assertThat(trade(old).bytes()).isEqualTo(again.bytes());
    assertThat(trade("guess").bytes()).isEqualTo(again.bytes());
  }
}
