package io.fairlead.ui.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What a reader gets that was away for a while.
class TopicTest {
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong number = new AtomicLong();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final Topic topic =
      new Topic(
          "rows",
          TopicSource.ofModel(
              () -> {
                ObjectNode value = Json.object();
                int n = count.getAndIncrement();
                return value.put("row-" + n % 100, n);
              }));

  private void changes(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(topic.refresh(number::incrementAndGet, now)).isTrue();
    }
  }

  private Topic.Outgoing after(long since) {
    return topic.after(since).orElseThrow();
  }

  @Test
  void aReaderThatMissedAFewGetsThemAsOne() {
    changes(1);
    long seen = number.get();
    changes(64);
    assertThat(after(seen).kind()).isEqualTo("delta");
    assertThat(after(seen).version()).isEqualTo(number.get());
    assertThat(topic.after(number.get())).isEqualTo(Optional.empty());
  }

  @Test
  void vector29AReaderThatStoppedGetsTheWholeAndCostsNothingMeanwhile() {
    changes(1);
    long seen = number.get();
    changes(65);
    assertThat(after(seen).kind()).isEqualTo("snapshot");
    changes(5000);
    assertThat(topic.kept()).isEqualTo(1024);
    assertThat(after(seen).kind()).isEqualTo("snapshot");
  }

  @Test
  void vector29WhatIsOlderThanAMinuteIsForgotten() {
    changes(3);
    long seen = number.get();
    now = now.plusSeconds(61);
    changes(1);
    assertThat(after(seen).kind()).isEqualTo("delta");
    assertThat(after(seen - 1).kind()).isEqualTo("snapshot");
    assertThat(topic.kept()).isEqualTo(1);
  }
}
