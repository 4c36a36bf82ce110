package io.fairlead.dns.hosts;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HostsPluginTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("hosts");
    Files.writeString(
        file,
        "127.0.0.1 localhost # loop\n::1 localhost\n10.0.0.1 a.example b.example\n"
            + "10.0.0.2 a.example\n10.0.0.3 *.w.example\nnonsense x\n10.0.0.9 both.example\n");
  }

  record Case(String name, String type, String answer) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "a.example", "A", "NOERROR; a.example. 60 IN A 10.0.0.1; a.example. 60 IN A 10.0.0.2"),
        new Case(
            "A.Example", "A", "NOERROR; A.Example. 60 IN A 10.0.0.1; A.Example. 60 IN A 10.0.0.2"),
        new Case("localhost", "AAAA", "NOERROR; localhost. 60 IN AAAA ::1"),
        new Case("a.example", "AAAA", "NOERROR"),
        new Case("a.example", "MX", "NOERROR"),
        new Case("x.w.example", "A", "NOERROR; x.w.example. 60 IN A 10.0.0.3"),
        new Case("y.x.w.example", "A", "NXDOMAIN"),
        new Case("w.example", "A", "NXDOMAIN"),
        new Case("none.example", "A", "NXDOMAIN"),
        new Case("both.example", "A", "NOERROR; both.example. 60 IN A 10.0.0.8"),
        new Case(
            "1.0.0.10.in-addr.arpa",
            "PTR",
            "NOERROR; 1.0.0.10.in-addr.arpa. 60 IN PTR a.example.; 1.0.0.10.in-addr.arpa. 60 IN PTR"
                + " b.example."),
        new Case(
            "1." + "0.".repeat(31) + "ip6.arpa",
            "PTR",
            "NOERROR; 1." + "0.".repeat(31) + "ip6.arpa. 60 IN PTR localhost."),
        new Case("77.0.0.10.in-addr.arpa", "PTR", "REFUSED"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void answers(Case c) throws SetupException {
    String line = "hosts " + file + " {\n ttl 60\n 10.0.0.8 both.example\n}";
    try (Rig rig = new Rig(line, Rig.refusing())) {
      assertThat(text(rig.ask(c.name(), c.type()))).isEqualTo(c.answer());
    }
  }

  @Test
  void zonesFallthroughAndNoReverse() throws SetupException {
    String line = "hosts " + file + " example {\n no_reverse\n fallthrough\n}";
    try (Rig rig = new Rig(line, Rig.refusing())) {
      assertThat(text(rig.ask("a.example", "A"))).contains("3600 IN A 10.0.0.1");
      assertThat(text(rig.ask("none.example", "A"))).isEqualTo("REFUSED");
      assertThat(text(rig.ask("localhost", "A"))).isEqualTo("REFUSED");
      assertThat(text(rig.ask("1.0.0.10.in-addr.arpa", "PTR"))).isEqualTo("REFUSED");
    }
  }

  @Test
  void aChangedFileIsReadAgain() throws Exception {
    try (Rig rig = new Rig("hosts " + file, Rig.refusing()).start()) {
      Files.writeString(file, "10.7.7.7 a.example\n");
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                rig.time().advance(Duration.ofSeconds(6));
                return text(rig.ask("a.example", "A")).contains("10.7.7.7");
              });
    }
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new Rig("hosts {\n falthrough\n}", Rig.refusing()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("did you mean 'fallthrough'?");
    assertThatThrownBy(() -> new Rig("hosts\nhosts", Rig.refusing()))
        .hasMessageContaining("only be used once");
  }
}
