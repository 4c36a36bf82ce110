package io.fairlead.dns.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.ServerKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServerKeyReaderTest {
  record Case(String key, String scheme, List<String> zones, int port) {
    @Override
    public String toString() {
      return key;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(".", "dns", List.of("."), 5300),
        new Case(".:53", "dns", List.of("."), 53),
        new Case(":1053", "dns", List.of("."), 1053),
        new Case("Example.ORG", "dns", List.of("example.org."), 5300),
        new Case("example.org.:54", "dns", List.of("example.org."), 54),
        new Case("dns://example.org", "dns", List.of("example.org."), 5300),
        new Case("TLS://.", "tls", List.of("."), 853),
        new Case("tls://.:8853", "tls", List.of("."), 8853),
        new Case("https://example.org", "https", List.of("example.org."), 443),
        new Case("10.0.0.0/8", "dns", List.of("10.in-addr.arpa."), 5300),
        new Case("10.96.0.0/16:53", "dns", List.of("96.10.in-addr.arpa."), 53),
        new Case("192.0.2.0/24", "dns", List.of("2.0.192.in-addr.arpa."), 5300),
        new Case("192.0.2.7/32", "dns", List.of("7.2.0.192.in-addr.arpa."), 5300),
        new Case("0.0.0.0/0", "dns", List.of("in-addr.arpa."), 5300),
        new Case("10.2.0.0/15", "dns", List.of("2.10.in-addr.arpa.", "3.10.in-addr.arpa."), 5300),
        new Case("10.3.1.0/15", "dns", List.of("2.10.in-addr.arpa.", "3.10.in-addr.arpa."), 5300),
        new Case("2001:db8::/32", "dns", List.of("8.b.d.0.1.0.0.2.ip6.arpa."), 5300),
        new Case("2001:db8::/32:5353", "dns", List.of("8.b.d.0.1.0.0.2.ip6.arpa."), 5353),
        new Case("fd00::/7", "dns", List.of("c.f.ip6.arpa.", "d.f.ip6.arpa."), 5300),
        new Case("::/0", "dns", List.of("ip6.arpa."), 5300));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void reads(Case c) {
    List<ServerKey> keys = ServerKeyReader.read(c.key(), 5300);
    assertThat(keys).extracting(key -> key.scheme().text()).containsOnly(c.scheme());
    assertThat(keys).extracting(ServerKey::port).containsOnly(c.port());
    assertThat(keys).extracting(key -> key.zone().toString()).isEqualTo(c.zones());
  }

  @Test
  void tenBitsAreSixtyFourZones() {
    List<ServerKey> keys = ServerKeyReader.read("10.64.0.0/10", 53);
    assertThat(keys.stream().map(key -> key.zone().toString()).toList())
        .hasSize(64)
        .startsWith("64.10.in-addr.arpa.")
        .endsWith("127.10.in-addr.arpa.");
  }
}
