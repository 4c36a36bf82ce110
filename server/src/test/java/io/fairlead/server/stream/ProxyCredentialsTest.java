package io.fairlead.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A pod behind `pods/proxy` collects what clients send. It gets no token.
class ProxyCredentialsTest {
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.c2VjcmV0";

  record Case(String name, String header, List<String> values, List<String> passed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String header = "Sec-WebSocket-Protocol";
    return Stream.of(
        new Case("token first", header, List.of(TOKEN + ", chat"), List.of("chat")),
        new Case("token last", header, List.of("chat," + TOKEN), List.of("chat")),
        new Case("token alone in a line", header, List.of("chat", TOKEN), List.of("chat")),
        new Case("several tokens", header, List.of(TOKEN + "," + TOKEN), List.of()),
        new Case("lower case", "sec-websocket-protocol", List.of(TOKEN + ",a,b"), List.of("a, b")),
        new Case("no token", header, List.of("a, b"), List.of("a, b")),
        new Case("another header", "X-Any", List.of("a,  b"), List.of("a,  b")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aTokenIsTakenOut(Case row) {
    assertThat(ProxySubresourceHandler.passedOn(row.header(), row.values()))
        .isEqualTo(row.passed());
  }
}
