package io.fairlead.api.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ChangeRingTest {
  private static final Instant AT = Instant.parse("2026-11-16T10:30:11Z");

  private static RecordedChange change(int number) {
    return new RecordedChange("rules", AT, out -> out.put("number", number));
  }

  private static List<Integer> numbers(ChangeRing.Page page) {
    return page.changes().stream().map(each -> each.toJson().path("number").asInt()).toList();
  }

  @Test
  void v108ARingOfEightAndTwentyChanges() {
    ChangeRing ring = new ChangeRing("proxy", 8);
    for (int i = 1; i <= 20; i++) {
      ring.add(change(i));
    }
    ChangeRing.Page page = ring.since(0, 1000);
    assertThat(page.lost()).isEqualTo(12);
    assertThat(page.first()).isEqualTo(13);
    assertThat(page.last()).isEqualTo(20);
    assertThat(numbers(page)).containsExactly(13, 14, 15, 16, 17, 18, 19, 20);
  }

  @Test
  void aReaderGoesOnWhereItWas() {
    ChangeRing ring = new ChangeRing("proxy", 8);
    for (int i = 1; i <= 5; i++) {
      ring.add(change(i));
    }
    ChangeRing.Page first = ring.since(0, 2);
    assertThat(numbers(first)).containsExactly(1, 2);
    assertThat(first.lost()).isZero();
    assertThat(numbers(ring.since(2, 1000))).containsExactly(3, 4, 5);
    assertThat(numbers(ring.since(5, 1000))).isEmpty();
    assertThat(numbers(ring.newest(2))).containsExactly(4, 5);
    assertThat(numbers(ring.newest(100))).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void whatAnEarlierProcessRecordedStandsInFront() {
    ChangeRing ring = new ChangeRing("proxy", 4);
    ring.add(change(4));
    ring.add(change(5));
    assertThat(ring.restore(List.of(change(1), change(2), change(3)))).isEqualTo(3);
    assertThat(numbers(ring.since(0, 10))).containsExactly(2, 3, 4, 5);
    assertThat(numbers(ring.since(3, 10))).containsExactly(4, 5);
    ring.add(change(6));
    assertThat(numbers(ring.since(5, 10))).containsExactly(6);
  }

  @Test
  void anEmptyRingHasAPageToo() {
    ObjectNode page = new ChangeRing("proxy", 8).since(0, 10).toJson();
    assertThat(page.path("first").asInt()).isEqualTo(1);
    assertThat(page.path("last").asInt()).isZero();
    assertThat(page.path("entries")).isEmpty();
  }

  @Test
  void switchedOffItKeepsNothing() {
    ChangeRing ring = new ChangeRing("proxy", 0);
    ring.add(change(1));
    assertThat(ring.since(0, 10).changes()).isEmpty();
  }

  @Test
  void anotherProcessHasAnotherEpoch() {
    assertThat(new ChangeRing("proxy", 1).since(0, 1).epoch())
        .isNotEqualTo(new ChangeRing("proxy", 1).since(0, 1).epoch());
  }

  @Test
  void aChangeComesBackFromItsDocument() {
    ObjectNode document = change(7).toJson();
    assertThat(RecordedChange.of(document).toJson()).isEqualTo(document);
    assertThat(document.toString())
        .isEqualTo("{\"kind\":\"rules\",\"at\":\"2026-11-16T10:30:11Z\",\"number\":7}");
  }

  @Test
  void longListsAreCutAndCounted() {
    ObjectNode out = Json.object();
    TextLimits.list(out, "services", List.of("a", "b", "c"), 2);
    assertThat(out.toString()).isEqualTo("{\"services\":[\"a\",\"b\"],\"servicesMore\":1}");
    assertThat(TextLimits.cut("x".repeat(500))).hasSize(120).endsWith("…");
  }
}
