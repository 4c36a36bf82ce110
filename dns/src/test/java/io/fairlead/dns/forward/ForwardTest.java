package io.fairlead.dns.forward;

import static io.fairlead.dns.testing.Replies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.Transport;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestUpstream;
import io.fairlead.dns.testing.TestUpstream.Mood;
import io.fairlead.dns.wire.Bytes;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Real sockets on loopback, one or two upstreams with moods.
class ForwardTest {
  private static final String WELL = "NOERROR; db.example.net. 60 IN A 192.0.2.80";

  private TestUpstream one;
  private TestUpstream two;
  @TempDir private Path directory;

  @BeforeEach
  void open() throws IOException {
    one = new TestUpstream();
    two = new TestUpstream();
    two.address = "192.0.2.81";
  }

  @AfterEach
  void close() throws IOException {
    one.close();
    two.close();
  }

  private Rig rig(String... options) throws SetupException {
    String block = options.length == 0 ? "" : " {\n" + String.join("\n", options) + "\n}";
    return new Rig("forward . " + one.target() + block, Rig.refusing()).realTime().start();
  }

  private Rig both(String... options) throws SetupException {
    String block = " {\npolicy sequential\n" + String.join("\n", options) + "\n}";
    String line = "forward . " + one.target() + " " + two.target() + block;
    return new Rig(line, Rig.refusing()).realTime().start();
  }

  private static Reply askTcp(Rig rig) {
    return (Reply) rig.answer(Rig.query("db.example.net", "A", "10.0.0.1", Transport.TCP, null));
  }

  @Test
  void passesTheAnswerOn() throws SetupException {
    try (Rig rig = rig()) {
      Reply reply = rig.ask("db.example.net", "A");
      assertThat(text(reply)).isEqualTo(WELL);
      assertThat(reply.is(Header.RA)).isTrue();
      assertThat(one.udpQueries).hasValue(1);
    }
  }

  @Test
  void tcpClientsAreForwardedOverTcp() throws SetupException {
    try (Rig rig = rig()) {
      assertThat(text(askTcp(rig))).isEqualTo(WELL);
      assertThat(text(askTcp(rig))).isEqualTo(WELL);
      assertThat(one.tcpQueries).hasValue(2);
      assertThat(one.udpQueries).hasValue(0);
    }
  }

  @Test
  void forceTcp() throws SetupException {
    try (Rig rig = rig("force_tcp", "prefer_udp")) {
      rig.ask("db.example.net", "A");
      assertThat(one.tcpQueries).hasValue(1);
      assertThat(one.udpQueries).hasValue(0);
    }
  }

  @Test
  void truncationIsPassedOn() throws SetupException {
    one.mood = Mood.TRUNCATING;
    try (Rig rig = rig()) {
      assertThat(rig.ask("db.example.net", "A").is(Header.TC)).isTrue();
      assertThat(one.tcpQueries).hasValue(0);
    }
  }

  @Test
  void preferUdpTurnsToTcpWhenTruncated() throws SetupException {
    one.mood = Mood.TRUNCATING;
    try (Rig rig = rig("prefer_udp")) {
      assertThat(text(askTcp(rig))).isEqualTo(WELL);
      assertThat(one.udpQueries).hasValue(1);
      assertThat(one.tcpQueries).hasValue(1);
    }
  }

  @Test
  void anotherIdIsPassedOver() throws SetupException {
    one.mood = Mood.WRONG_ID_FIRST;
    try (Rig rig = rig()) {
      assertThat(text(rig.ask("db.example.net", "A"))).isEqualTo(WELL);
    }
  }

  @Test
  void onlyOtherIdsIsNoAnswer() throws SetupException {
    one.mood = Mood.WRONG_ID_ONLY;
    try (Rig rig = rig("read_timeout 100ms")) {
      Reply reply = rig.ask("db.example.net", "A");
      assertThat(reply.rcode()).isEqualTo(Rcode.SERVFAIL);
      assertThat(reply.options().getFirst().code()).isEqualTo(EdnsOption.ERROR);
      assertThat(reply.failure()).contains(one.target());
    }
  }

  @Test
  void anAnswerToAnotherQuestionIsAskedForAgainOverTcp() throws SetupException {
    one.mood = Mood.OTHER_QUESTION;
    try (Rig rig = rig()) {
      assertThat(text(rig.ask("db.example.net", "A"))).isEqualTo(WELL);
      assertThat(one.tcpQueries).hasValue(1);
    }
  }

  @Test
  void serversThatLowerTheSpellingAreAskedOverTcp() throws SetupException {
    one.mood = Mood.LOWER_CASE;
    try (Rig rig = rig()) {
      assertThat(text(rig.ask("Db.Example.net", "A")))
          .isEqualTo("NOERROR; Db.Example.net. 60 IN A 192.0.2.80");
    }
  }

  @Test
  void garbageIsAFailure() throws SetupException {
    one.mood = Mood.GARBAGE;
    try (Rig rig = rig("max_connect_attempts 1")) {
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
  }

  @Test
  void idsAndSpellingsDiffer() throws SetupException {
    try (Rig rig = rig()) {
      for (int i = 0; i < 40; i++) {
        rig.ask("a-name-with-many-letters.example.net", "A");
      }
      assertThat(one.ids).hasSizeGreaterThan(30);
      assertThat(one.spellings).hasSizeGreaterThan(30);
    }
  }

  @Test
  void concurrentQueriesUseManyPorts() throws Exception {
    one.gate = new CountDownLatch(1);
    try (Rig rig = rig();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String name = "n" + i + ".example.net";
        replies.add(threads.submit(() -> rig.ask(name, "A")));
      }
      await().until(() -> one.udpQueries.get() == 20);
      one.gate.countDown();
      for (Future<Reply> reply : replies) {
        assertThat(reply.get().rcode()).isZero();
      }
      assertThat(one.ports).hasSize(20);
    }
  }

  @Test
  void equalQuestionsShareOneQuery() throws Exception {
    one.gate = new CountDownLatch(1);
    try (Rig rig = rig();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String name = i % 2 == 0 ? "db.example.net" : "DB.example.net";
        replies.add(threads.submit(() -> rig.ask(name, "A")));
      }
      await().until(() -> one.udpQueries.get() == 1);
      one.gate.countDown();
      for (int i = 0; i < 50; i++) {
        String owner = i % 2 == 0 ? "db.example.net." : "DB.example.net.";
        assertThat(replies.get(i).get().answer().getFirst().owner()).hasToString(owner);
      }
      assertThat(one.udpQueries.get()).isLessThan(10);
    }
  }

  @Test
  void tooManyAtOnceAreRefused() throws Exception {
    one.gate = new CountDownLatch(1);
    try (Rig rig = rig("max_concurrent 2");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> a = threads.submit(() -> rig.ask("a.example.net", "A"));
      Future<Reply> b = threads.submit(() -> rig.ask("b.example.net", "A"));
      await().until(() -> one.udpQueries.get() == 2);
      assertThat(rig.ask("c.example.net", "A").rcode()).isEqualTo(Rcode.REFUSED);
      one.gate.countDown();
      assertThat(a.get().rcode()).isZero();
      assertThat(b.get().rcode()).isZero();
      assertThat(rig.ask("c.example.net", "A").rcode()).isZero();
    }
  }

  @Test
  void aSilentServerIsFollowedByTheNext() throws SetupException {
    one.mood = Mood.SILENT;
    try (Rig rig = both("read_timeout 200ms")) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
  }

  @Test
  void aSilentServerIsTakenOutAndComesBack() throws SetupException {
    one.mood = Mood.SILENT;
    try (Rig rig = both("read_timeout 200ms", "health_check 20ms")) {
      rig.ask("db.example.net", "A");
      await().atMost(Duration.ofSeconds(60)).until(() -> one.probes.get() >= 4);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                int before = one.udpQueries.get();
                rig.ask("db.example.net", "A");
                return one.udpQueries.get() == before;
              });
      one.mood = Mood.WELL;
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> text(rig.ask("db.example.net", "A")).contains("192.0.2.80"));
    }
  }

  @Test
  void aClosedPortIsFollowedByTheNext() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    String line = "forward . 127.0.0.1:" + closed + " " + two.target() + " {\npolicy sequential\n}";
    try (Rig rig = new Rig(line, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
      assertThat(text(askTcp(rig))).contains("192.0.2.81");
    }
  }

  @Test
  void failoverOnRcode() throws SetupException {
    one.mood = Mood.SERVFAIL;
    try (Rig rig = both("failover SERVFAIL REFUSED")) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
    try (Rig rig = both()) {
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
    two.mood = Mood.SERVFAIL;
    try (Rig rig = both("failover SERVFAIL")) {
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
  }

  @Test
  void nextLineOnRcode() throws SetupException {
    one.mood = Mood.SERVFAIL;
    String lines = "forward . " + one.target() + " {\nnext SERVFAIL\n}\nforward . " + two.target();
    try (Rig rig = new Rig(lines, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
  }

  @Test
  void nextLineOnNodata() throws SetupException {
    one.mood = Mood.TRUNCATING;
    String lines = "forward . " + one.target() + " {\nnext_on_nodata\n}\nforward . " + two.target();
    try (Rig rig = new Rig(lines, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
  }

  @Test
  void linesByZoneInWrittenOrderAndExceptions() throws SetupException {
    String lines =
        "forward example.net "
            + one.target()
            + "\nforward . "
            + two.target()
            + " {\nexcept local\n}";
    try (Rig rig = new Rig(lines, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.80");
      assertThat(text(rig.ask("db.example.org", "A"))).contains("192.0.2.81");
      assertThat(rig.ask("db.local", "A").rcode()).isEqualTo(Rcode.REFUSED);
    }
  }

  @Test
  void optionsOfOneConnectionStayOnIt() throws SetupException {
    Edns edns =
        new Edns(
            4096,
            0,
            true,
            List.of(
                new EdnsOption(EdnsOption.COOKIE, Bytes.ofHex("0011223344556677")),
                new EdnsOption(EdnsOption.CLIENT_SUBNET, Bytes.ofHex("00011800c00002"))));
    try (Rig rig = rig()) {
      rig.answer(Rig.query("db.example.net", "A", "10.0.0.1", Transport.UDP, edns));
      Edns sent = Objects.requireNonNull(Objects.requireNonNull(one.last).edns());
      assertThat(sent.udpSize()).isEqualTo(1232);
      assertThat(sent.dnssecOk()).isTrue();
      assertThat(sent.options()).extracting(EdnsOption::code).containsExactly(8);
    }
  }

  @Test
  void proxyIsForwardByItsOldName() throws SetupException {
    String line = "proxy . " + one.target() + " {\n spray\n max_fails 1\n}";
    try (Rig rig = new Rig(line, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).isEqualTo(WELL);
    }
  }

  @Test
  void resolvConfIsReadAgain() throws Exception {
    Path file = directory.resolve("resolv.conf");
    Files.writeString(file, "nameserver 192.0.2.1\nsearch x\n# nameserver 192.0.2.9\n");
    List<String> asked = new ArrayList<>();
    Exchange exchange =
        new Exchange() {
          @Override
          public Message ask(Target target, Message query, boolean stream, Duration time)
              throws IOException {
            asked.add(target.toString());
            throw new IOException("nobody there");
          }

          @Override
          public void close() {}
        };
    try (Rig rig = new Rig("", Rig.refusing())) {
      ForwardOptions options =
          new OptionReader(
                  new Directive(
                      "forward",
                      List.of(".", file.toString()),
                      List.of(new Directive("max_fails", List.of("0"), List.of(), "f", 2)),
                      "f",
                      1))
              .read();
      Forwarder forwarder = new Forwarder(options, rig, exchange);
      forwarder.start();
      forwarder.forward(Rig.query("a.example", "A"));
      Files.writeString(file, "nameserver fd00::5%eth0\n");
      Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(4_000_000));
      forwarder.forward(Rig.query("a.example", "A"));
      rig.time().advance(Duration.ofSeconds(6));
      forwarder.forward(Rig.query("a.example", "A"));
      assertThat(asked.stream().distinct()).containsExactly("192.0.2.1:53", "[fd00::5]:53");
      forwarder.close();
    }
  }

  record Fault(String line, String message) {
    @Override
    public String toString() {
      return line;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("forward .", "usage: forward FROM TO..."),
        new Fault("forward . 1.2.3", "'1.2.3' is no upstream"),
        new Fault("forward . 1.2.3.4:99999", "'99999' is no port"),
        new Fault("forward . grpc://1.2.3.4", "cannot forward over grpc://"),
        new Fault("forward . /no/such/file", "cannot read /no/such/file"),
        new Fault("forward . 1.1.1.1 {\n max_concurent 5\n}", "Corefile:3: unknown property"),
        new Fault("forward . 1.1.1.1 {\n max_concurent 5\n}", "did you mean 'max_concurrent'?"),
        new Fault("forward . 1.1.1.1 {\n policy fastest\n}", "unknown policy 'fastest'"),
        new Fault("forward . 1.1.1.1 {\n max_fails -1\n}", "not between 0"),
        new Fault("forward . 1.1.1.1 {\n expire soon\n}", "invalid duration 'soon'"),
        new Fault("forward . 1.1.1.1 {\n failover NOERROR\n}", "cannot be used for NOERROR"),
        new Fault("forward . 1.1.1.1 {\n next NOPE\n}", "'NOPE' is no response code"),
        new Fault("forward . 1.1.1.1 {\n health_check 1s always\n}", "takes no_rec"),
        new Fault("forward . 1.1.1.1 {\n tls nothing.pem\n}", "nothing.pem"),
        new Fault("forward . 1.1.1.1 {\n force_tcp yes\n}", "wrong number of arguments"),
        new Fault("forward . " + "1.1.1.1 ".repeat(16), "up to 15"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Fault c) {
    assertThatThrownBy(() -> new Rig(c.line(), Rig.refusing()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(c.message());
  }
}
