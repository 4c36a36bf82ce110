package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
  void takesOutWhatItPutIn(String name, String stored, String shown) {
    byte[] before = join(stored);
    byte[] after = ObjectCodec.withRevision(before, HEAD.length, 7);
    assertThat(after).isEqualTo(join(shown));
    assertThat(ObjectCodec.withoutRevision(after, HEAD.length)).isEqualTo(before);
  }

  private static byte[] join(String rest) {
    return (new String(HEAD, UTF_8) + rest).getBytes(UTF_8);
  }
}
