package io.fairlead.server.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.resource.ClusterReader;
import io.fairlead.store.Write;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What works on a request sees every write that was acknowledged before, although the store's
/// watch comes later.
class ReaderFreshnessTest {
  static Stream<Arguments> reads() {
    return Stream.of(
        row("get", reader -> reader.get("", "things", "default", "a") != null),
        row("has", reader -> reader.has("", "things", "default", "a")),
        row("labels", reader -> !reader.labels("", "things", "default").isEmpty()),
        row("list", reader -> !reader.list("", "things", "default").isEmpty()));
  }

  private static Arguments row(String name, Predicate<ClusterReader> finds) {
    return Arguments.of(name, finds);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  void anAcknowledgedWriteIsSeen(String name, Predicate<ClusterReader> finds) {
    try (CacheFixture fixture = new CacheFixture()) {
      fixture.caches.acknowledged(write("/registry/things/a"), fixture.store.revision() + 1);
      FutureTask<Boolean> found = new FutureTask<>(() -> finds.test(fixture.caches.reader()));
      Thread reading = Thread.ofPlatform().start(found);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> found.isDone() || reading.getState() == Thread.State.TIMED_WAITING);
      fixture.put("default", "a", "x", "red");
      assertThat(found).as(name).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
    }
  }

  /// A read that waits for a revision that never comes is refused.
  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  void anAcknowledgedWriteOfAnotherKindIsNotWaitedFor(String name, Predicate<ClusterReader> finds) {
    try (CacheFixture fixture = new CacheFixture()) {
      fixture.caches.acknowledged(write("/registry/others/a"), fixture.store.revision() + 1000);
      assertThat(finds.test(fixture.caches.reader())).as(name).isFalse();
    }
  }

  @Test
  void whatTheCommitChecksIsReadWithoutWaiting() {
    try (CacheFixture fixture = new CacheFixture()) {
      long never = fixture.store.revision() + 1000;
      fixture.caches.acknowledged(write("/registry/things/a"), never);
      fixture.caches.acknowledged(write("/registry/claims/1"), never);
      ClusterReader reader = fixture.caches.reader();
      assertThat(reader.isKnown("", "things", "default", "a")).isFalse();
      assertThat(reader.isKnownClaim("/registry/claims/1")).isFalse();
    }
  }

  private static List<Write> write(String key) {
    return List.of(new Write.Put(key, new byte[0], Write.ANY));
  }
}
