package io.fairlead.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamAddressReaderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10.0.0.1,DNS,10.0.0.1:53,",
    "10.0.0.1:1053,DNS,10.0.0.1:1053,",
    "dns://10.0.0.1,DNS,10.0.0.1:53,",
    "2003::1,DNS,[2003::1]:53,",
    "[2003::1]:5353,DNS,[2003::1]:5353,",
    "[2003::1],DNS,[2003::1]:53,",
    "tls://9.9.9.9,TLS,9.9.9.9:853,",
    "tls://9.9.9.9%dns.quad9.net,TLS,9.9.9.9:853,dns.quad9.net",
    "tls://9.9.9.9%dns.quad9.net:10853,TLS,9.9.9.9:10853,dns.quad9.net",
    "https://9.9.9.9,HTTPS,9.9.9.9:443,"
  })
  void readsServers(String text, String protocol, String shown, String serverName) {
    assertThat(UpstreamAddressReader.read(text))
        .isInstanceOfSatisfying(
            UpstreamAddressReader.Destination.Server.class,
            server -> {
              assertThat(server.target().protocol()).hasToString(protocol);
              assertThat(server.target()).hasToString(shown);
              assertThat(server.target().serverName()).isEqualTo(serverName);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"dns.example.local,53", "tls://dns.example.local:8853,8853"})
  void readsNames(String text, int port) {
    assertThat(UpstreamAddressReader.read(text))
        .isInstanceOfSatisfying(
            UpstreamAddressReader.Destination.Host.class,
            host -> {
              assertThat(host.host()).isEqualTo("dns.example.local");
              assertThat(host.port()).isEqualTo(port);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"/etc/resolv.conf", "./upstreams"})
  void readsFiles(String text) {
    assertThat(UpstreamAddressReader.read(text))
        .isEqualTo(new UpstreamAddressReader.Destination.File(text));
  }
}
