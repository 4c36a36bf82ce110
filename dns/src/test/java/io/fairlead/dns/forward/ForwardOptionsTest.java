package io.fairlead.dns.forward;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.wire.DnsMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a `forward` line may say, and the files it names.
class ForwardOptionsTest extends WithUpstreams {
  @TempDir private Path directory;

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
    UpstreamExchange exchange =
        new UpstreamExchange() {
          @Override
          public DnsMessage ask(
              UpstreamAddress target, DnsMessage query, boolean stream, Duration time)
              throws IOException {
            asked.add(target.toString());
            throw new IOException("nobody there");
          }

          @Override
          public void close() {}
        };
    try (Rig rig = new Rig("", Rig.refusing())) {
      ForwardOptions options =
          new ForwardOptionReader(
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
