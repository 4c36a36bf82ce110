package io.fairlead.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.log.AsyncLineWriter;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every loop of the server goes on after a step that threw.
class DnsLoopsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern LOOP = Pattern.compile("SupervisedLoop\\.of\\(\"([^\"]+)\"\\)");

  // Its step ends only with a failure: UdpListenerTest.
  private static final Set<String> ELSEWHERE = Set.of("dns-udp");

  @TempDir Path directory;

  /// A component with a running loop.
  interface Running extends AutoCloseable {
    /// Makes the loop do a step, if it does none by itself.
    void drive();

    @Override
    void close();
  }

  interface Starter {
    Running start(Path directory) throws Exception;
  }

  record Row(String kind, Starter starter) {
    @Override
    public String toString() {
      return kind;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("dns-health-probe", _ -> rig("health 127.0.0.1:0")),
        new Row("dns-file-watch", directory -> rig("hosts " + file(directory, "127.0.0.1 a.org"))),
        new Row("dns-reload", DnsLoopsTest::reload),
        // Nothing listens on port 9 of loopback: the check is not sent and repeats.
        new Row("dns-loop-check", _ -> rig("forward . 127.0.0.1:9\nloop")),
        new Row("dns-forward-probe", _ -> failingForward()),
        new Row("dns-log", _ -> lines()),
        new Row("dns-compiler", _ -> server()),
        new Row("dns-tcp-accept", _ -> server()),
        new Row("dns-tcp-write-timeout", _ -> server()));
  }

  private static Path file(Path directory, String text) throws IOException {
    return Files.writeString(directory.resolve("file"), text);
  }

  /// A block whose time passes when the loop is driven.
  private static Running rig(String config) throws SetupException {
    return running(new Rig(config, Rig.refusing()).start());
  }

  private static Running running(Rig rig) {
    return new Running() {
      @Override
      public void drive() {
        rig.time().advance(Duration.ofMinutes(1));
      }

      @Override
      public void close() {
        rig.close();
      }
    };
  }

  private static Running reload(Path directory) throws Exception {
    Rig rig = new Rig("reload 10s 2s", Rig.refusing());
    rig.corefile = file(directory, ". {\n errors\n}\n");
    return running(rig.start());
  }

  private static Running failingForward() throws SetupException {
    Rig rig = new Rig("forward . 127.0.0.1:9", Rig.refusing()).start();
    rig.ask("example.org", "A");
    return running(rig);
  }

  private static Running lines() {
    AsyncLineWriter writer = new AsyncLineWriter(_ -> {}, new Metrics());
    return new Running() {
      @Override
      public void drive() {
        writer.write("line");
      }

      @Override
      public void close() {
        writer.close();
      }
    };
  }

  private static Running server() throws SetupException {
    TestDnsServer server =
        new TestDnsServer(
                ".:0 {\nbind 127.0.0.1\nkubernetes cluster.local\n}",
                SpecVectorCluster.cluster()::client,
                List.of("10.244.0.5"),
                List.of())
            .awaitCluster("crane.harbor.svc.cluster.local");
    return new Running() {
      @Override
      public void drive() {
        assertThat(
                DnsTestClient.tcp(server.address(), "crane.harbor.svc.cluster.local", "A").rcode())
            .isZero();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static LoopStatus status(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void goesOnAfterAStepThatThrew(Row row) throws Exception {
    try (Running running = row.starter().start(directory)) {
      await().atMost(PATIENCE).until(() -> status(row.kind()).running() > 0);
      long before = status(row.kind()).restarts();
      assertThat(LoopFaults.failOnce(row.kind())).isPositive();
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                running.drive();
                return status(row.kind()).restarts() > before;
              });
      assertThat(status(row.kind()).lastFailure()).contains("injected");
      long steps = status(row.kind()).steps();
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                running.drive();
                return status(row.kind()).steps() > steps;
              });
    }
    await().atMost(PATIENCE).until(() -> status(row.kind()).running() == 0);
  }

  @Test
  void everyLoopHasARow() throws IOException {
    Set<String> kinds = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        LOOP.matcher(Files.readString(file)).results().forEach(loop -> kinds.add(loop.group(1)));
      }
    }
    Set<String> tested = rows().map(Row::kind).collect(Collectors.toCollection(TreeSet::new));
    tested.addAll(ELSEWHERE);
    assertThat(kinds).isEqualTo(tested);
  }
}
