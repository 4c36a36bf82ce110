package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionSpliceTest {
  private static final byte[] HEAD = ObjectCodec.head("Service", "v1");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no metadata           | },"spec":{}}           | "resourceVersion":"7"},"spec":{}}
          metadata              | "name":"a"},"spec":{}} | "resourceVersion":"7","name":"a"},"spec":{}}
          nothing but metadata  | "name":"a"}}           | "resourceVersion":"7","name":"a"}}
          """)
  void standsBetweenTheHalves(String name, String stored, String shown) {
    byte[] before = join(stored);
    assertThat(ObjectCodec.withRevision(before, HEAD.length, 7, 0, 0)).isEqualTo(join(shown));
    byte[] roomy = ObjectCodec.withRevision(before, HEAD.length, 7, 3, 1);
    assertThat(Arrays.copyOfRange(roomy, 3, roomy.length - 1)).isEqualTo(join(shown));
  }

  private static byte[] join(String rest) {
    return (new String(HEAD, UTF_8) + rest).getBytes(UTF_8);
  }
}
