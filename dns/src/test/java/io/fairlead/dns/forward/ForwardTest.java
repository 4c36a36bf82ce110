package io.fairlead.dns.forward;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestUpstream.Behavior;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Rcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What is asked, over what, and what becomes of the answer.
class ForwardTest extends WithUpstreams {
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
    one.mood = Behavior.TRUNCATING;
    try (Rig rig = rig()) {
      assertThat(rig.ask("db.example.net", "A").is(Header.TC)).isTrue();
      assertThat(one.tcpQueries).hasValue(0);
    }
  }

  @Test
  void preferUdpTurnsToTcpWhenTruncated() throws SetupException {
    one.mood = Behavior.TRUNCATING;
    try (Rig rig = rig("prefer_udp")) {
      assertThat(text(askTcp(rig))).isEqualTo(WELL);
      assertThat(one.udpQueries).hasValue(1);
      assertThat(one.tcpQueries).hasValue(1);
    }
  }

  @Test
  void anotherIdIsPassedOver() throws SetupException {
    one.mood = Behavior.WRONG_ID_FIRST;
    try (Rig rig = rig()) {
      assertThat(text(rig.ask("db.example.net", "A"))).isEqualTo(WELL);
    }
  }

  @Test
  void anAnswerToAnotherQuestionIsAskedForAgainOverTcp() throws SetupException {
    one.mood = Behavior.OTHER_QUESTION;
    try (Rig rig = rig()) {
      assertThat(text(rig.ask("db.example.net", "A"))).isEqualTo(WELL);
      assertThat(one.tcpQueries).hasValue(1);
    }
  }

  @Test
  void serversThatLowerTheSpellingAreAskedOverTcp() throws SetupException {
    one.mood = Behavior.LOWER_CASE;
    try (Rig rig = rig()) {
      assertThat(text(rig.ask("Db.Example.net", "A")))
          .isEqualTo("NOERROR; Db.Example.net. 60 IN A 192.0.2.80");
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
      await().atMost(Duration.ofMinutes(1)).until(() -> one.udpQueries.get() == 20);
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
      await().atMost(Duration.ofMinutes(1)).until(() -> one.udpQueries.get() == 1);
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
      await().atMost(Duration.ofMinutes(1)).until(() -> one.udpQueries.get() == 2);
      assertThat(rig.ask("c.example.net", "A").rcode()).isEqualTo(Rcode.REFUSED);
      one.gate.countDown();
      assertThat(a.get().rcode()).isZero();
      assertThat(b.get().rcode()).isZero();
      assertThat(rig.ask("c.example.net", "A").rcode()).isZero();
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
                new EdnsOption(EdnsOption.COOKIE, ImmutableBytes.ofHex("0011223344556677")),
                new EdnsOption(EdnsOption.CLIENT_SUBNET, ImmutableBytes.ofHex("00011800c00002"))));
    try (Rig rig = rig()) {
      rig.answer(Rig.query("db.example.net", "A", "10.0.0.1", QueryTransport.UDP, edns));
      Edns sent = Objects.requireNonNull(Objects.requireNonNull(one.last).edns());
      assertThat(sent.udpSize()).isEqualTo(1232);
      assertThat(sent.dnssecOk()).isTrue();
      assertThat(sent.options()).extracting(EdnsOption::code).containsExactly(8);
    }
  }
}
