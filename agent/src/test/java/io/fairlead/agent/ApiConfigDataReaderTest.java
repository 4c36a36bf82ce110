package io.fairlead.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ApiConfigDataReaderTest {
  private static final long HOUR = 3600;

  private Instant now = Instant.EPOCH;
  private final Issuer issuer = new Issuer();
  private final ApiConfigDataReader lookups =
      new ApiConfigDataReader(new Client(issuer), () -> now);

  private static Pod pod(String uid) {
    return Pod.of(
        (ObjectNode)
            Yaml.parse(
                "metadata: {name: p, namespace: default, uid: %s}\nspec: {containers: []}"
                    .formatted(uid)));
  }

  @Test
  void aTokenIsKeptUntilFourFifthsOfItsLifeAreOver() {
    assertThat(lookups.token(pod("u1"), "", HOUR)).isEqualTo("token 1");
    now = Instant.ofEpochSecond(HOUR * 4 / 5 - 1);
    assertThat(lookups.token(pod("u1"), "", HOUR)).isEqualTo("token 1");
    now = Instant.ofEpochSecond(HOUR * 4 / 5);
    assertThat(lookups.token(pod("u1"), "", HOUR)).isEqualTo("token 2");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "no end in the answer: the life that was asked for, '', 2880",
    "the server shortens the life, 1970-01-01T00:10:00Z, 480",
    "the server gives what was asked for, 1970-01-01T01:00:00Z, 2880",
    "the server or a clock behind its own says longer: as asked for, 1970-01-01T03:00:00Z, 2880",
    "the end is no time: as asked for, soon, 2880"
  })
  void aTokenIsRenewedByTheEndTheServerGivesIt(String name, String end, long renewedAt) {
    issuer.end = end;
    assertThat(lookups.token(pod("u1"), "", HOUR)).as(name).isEqualTo("token 1");
    now = Instant.ofEpochSecond(renewedAt - 1);
    assertThat(lookups.token(pod("u1"), "", HOUR)).as(name).isEqualTo("token 1");
    now = Instant.ofEpochSecond(renewedAt);
    assertThat(lookups.token(pod("u1"), "", HOUR)).as(name).isEqualTo("token 2");
  }

  @Test
  void theTokensOfAPodThatIsGoneAreForgotten() {
    assertThat(lookups.token(pod("u1"), "", HOUR)).isEqualTo("token 1");
    assertThat(lookups.token(pod("u1"), "vault", HOUR)).isEqualTo("token 2");
    assertThat(lookups.token(pod("u2"), "", HOUR)).isEqualTo("token 3");
    lookups.forget(pod("u1"));
    assertThat(lookups.token(pod("u2"), "", HOUR)).isEqualTo("token 3");
    assertThat(lookups.token(pod("u1"), "", HOUR)).isEqualTo("token 4");
    assertThat(lookups.token(pod("u1"), "vault", HOUR)).isEqualTo("token 5");
  }

  /// Answers every request with the next token.
  private static final class Issuer implements Transport {
    private int issued;
    private String end = "";

    @Override
    public ApiResponse send(ApiRequest request) {
      issued++;
      return new ApiResponse(
          201,
          "{\"status\":{\"token\":\"token %d\",\"expirationTimestamp\":\"%s\"}}"
              .formatted(issued, end)
              .getBytes(UTF_8));
    }

    @Override
    public LineStream stream(ApiRequest request) {
      throw new AssertionError("the reader does not watch");
    }

    @Override
    public void close() {}
  }
}
