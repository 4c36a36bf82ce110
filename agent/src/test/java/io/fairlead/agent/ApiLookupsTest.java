package io.fairlead.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.transport.Answer;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Request;
import io.fairlead.client.transport.Transport;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ApiLookupsTest {
  private static final long HOUR = 3600;

  private Instant now = Instant.EPOCH;
  private final ApiLookups lookups = new ApiLookups(new Client(new Issuer()), () -> now);

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

    @Override
    public Answer send(Request request) {
      issued++;
      return new Answer(
          201, "{\"status\":{\"token\":\"token %d\"}}".formatted(issued).getBytes(UTF_8));
    }

    @Override
    public LineStream stream(Request request) {
      throw new AssertionError("nobody watches");
    }

    @Override
    public void close() {}
  }
}
