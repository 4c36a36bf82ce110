package io.fairlead.agent.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalSizeReaderTest {
  private static List<String> sizes(InputStream from) {
    TerminalSizeReader reader = new TerminalSizeReader();
    List<String> seen = new ArrayList<>();
    reader.onResize((columns, rows) -> seen.add(columns + "x" + rows));
    reader.follow(from);
    return seen;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "one | {'Width':80,'Height':24} | 80x24",
        "two in one message | {'Width':80,'Height':24}{'Height':2,'Width':1} | 80x24 1x2",
        "more than sizes | {'a':[{'Width':3}],'Width':80,'Height':24} | 80x24",
        "among other values | 7 [1,{'Width':1,'Height':1}] 'x' {'Width':80,'Height':24} | 80x24",
        "a size that is no number | {'Width':{},'Height':24}{'Width':80,'Height':24} | 80x24",
        "too large a size | {'Width':65536,'Height':24}{'Width':80,'Height':24} | 80x24",
        "nonsense ends it | {'Width':80,'Height':24} } {'Width':1,'Height':1} | 80x24"
      })
  void sizesAreRead(String name, String text, String expected) {
    byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThat(String.join(" ", sizes(new ByteArrayInputStream(bytes))))
        .as(name)
        .isEqualTo(expected);
  }

  /// An array of so many objects that, kept, they would take more than the tests' memory (1 GB).
  @Test
  void aValueWithoutAnEndTakesNoMemory() {
    byte[] objects = "{},".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
    InputStream start = new ByteArrayInputStream(new byte[] {'['});
    Iterator<InputStream> rest =
        Stream.concat(
                Stream.of(start),
                Stream.<InputStream>generate(() -> new ByteArrayInputStream(objects)).limit(2_000))
            .iterator();
    Enumeration<InputStream> parts =
        new Enumeration<>() {
          @Override
          public boolean hasMoreElements() {
            return rest.hasNext();
          }

          @Override
          public InputStream nextElement() {
            return rest.next();
          }
        };
    assertThat(sizes(new SequenceInputStream(parts))).isEmpty();
  }
}
