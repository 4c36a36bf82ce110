package io.fairlead.dns.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Rcode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogPluginTest {
  private static final Handler FOUND =
      _ -> TestReplies.found(TestReplies.a("a.org", 60, "192.0.2.1"));
  private static final Handler DENIED = _ -> Reply.of("x", Rcode.NXDOMAIN);
  private static final Handler FAILED = _ -> Reply.of("x", Rcode.SERVFAIL);

  /// The lines that a question leaves behind.
  private static List<String> lines(String config, Handler end, String client, @Nullable Edns edns)
      throws SetupException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    SharedResources shared = new SharedResources();
    SharedResources.Handle<AsyncLineWriter> taken =
        shared.take(
            AsyncLineWriter.KEY,
            AsyncLineWriter.class,
            () -> new AsyncLineWriter(lines::add, new Metrics()));
    try (Rig rig = new Rig(".", config, end, shared, List.of())) {
      rig.answer(Rig.query("a.org", "A", client, QueryTransport.UDP, edns));
    }
    taken.close();
    return lines;
  }

  record Case(String title, String config, Handler end, List<String> lines) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Case> cases() {
    String common = "[INFO] 10.1.1.1:40212 - 4242 \"A IN a.org. udp 40 false 512\" ";
    return Stream.of(
        new Case("common", "log", FOUND, List.of(common + "NOERROR qr,rd,ra 39 0.000000000s")),
        new Case(
            "combined",
            "log . {combined}",
            DENIED,
            List.of(common + "NXDOMAIN qr,rd 23 0.000000000s 0")),
        new Case(
            "own format",
            "log . \"{proto} Request: {name} {type} {>id} {unknown}\"",
            FOUND,
            List.of("[INFO] udp Request: a.org. A 4242 {unknown}")),
        new Case(
            "facts nobody knows",
            "log . \"{/kubernetes/client-namespace} {local}\"",
            FOUND,
            List.of("[INFO] - 10.96.0.10")),
        new Case("names", "log b.org", FOUND, List.of()),
        new Case(
            "class success",
            "log . {\n class success\n}",
            FOUND,
            List.of(common + "NOERROR qr,rd,ra 39 0.000000000s")),
        new Case("class denial", "log . {\n class denial\n}", FOUND, List.of()),
        new Case(
            "class error", "log . {name} {\n class error\n}", FAILED, List.of("[INFO] a.org.")),
        new Case(
            "several classes",
            "log . {name} {\n class denial error\n}",
            DENIED,
            List.of("[INFO] a.org.")),
        new Case(
            "class all", "log . {name} {\n class denial all\n}", FOUND, List.of("[INFO] a.org.")),
        new Case(
            "slow ones",
            "log . {name} {\n class error\n minDuration 0s\n}",
            FOUND,
            List.of("[INFO] a.org.")),
        new Case("not slow", "log . {name} {\n class error\n minDuration 1s\n}", FOUND, List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void tells(Case c) throws SetupException {
    assertThat(lines(c.config(), c.end(), "10.1.1.1", null)).isEqualTo(c.lines());
  }

  @Test
  void ipv6ClientsStandInBrackets() throws SetupException {
    assertThat(lines("log", FOUND, "fd00::7", new Edns(4096, 0, true, List.of())))
        .containsExactly(
            "[INFO] [fd00::7]:40212 - 4242 \"A IN a.org. udp 40 true 4096\" NOERROR qr,rd,ra 39"
                + " 0.000000000s");
  }

  @Test
  void linesThatCannotBeWrittenAreDroppedAndCounted() {
    Metrics metrics = new Metrics();
    CountDownLatch gate = new CountDownLatch(1);
    AsyncLineWriter lines =
        new AsyncLineWriter(
            _ -> {
              try {
                gate.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            metrics);
    for (int i = 0; i < 10_000; i++) {
      lines.write("x");
    }
    assertThat(metrics.counter("fairlead_dns_log_lines_dropped_total", "").get())
        .isGreaterThan(1000);
    gate.countDown();
    lines.close();
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new Rig("log {\n clas all\n}", FOUND))
        .hasMessageContaining("did you mean 'class'?");
    assertThatThrownBy(() -> new Rig("log {\n class good\n}", FOUND))
        .hasMessageContaining("'good' is no class");
  }
}
