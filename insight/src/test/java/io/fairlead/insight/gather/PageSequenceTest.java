package io.fairlead.insight.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ListOptions;
import io.fairlead.client.TypedPage;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Pages of two numbers: the token `4` leads to 4 and 5.
class PageSequenceTest {
  private static final ListOptions TWO = ListOptions.ALL.labelled("app=web").limited(2);

  private final Queue<ListOptions> asked = new ConcurrentLinkedQueue<>();

  private static int begin(ListOptions options) {
    return options.continueToken().isEmpty() ? 0 : Integer.parseInt(options.continueToken());
  }

  private PageSequence.Reader<Integer> until(int end) {
    return (options, next) -> {
      asked.add(options);
      int begin = begin(options);
      String token = begin + 2 < end ? Integer.toString(begin + 2) : "";
      if (!token.isEmpty()) {
        next.accept(token);
      }
      return new TypedPage<>(List.of(begin, begin + 1), token);
    };
  }

  @Test
  void objectsStayInTheirOrder() {
    assertThat(PageSequence.read(TWO, 100, until(8))).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(asked).hasSize(4).allMatch(each -> each.labelSelector().equals("app=web"));
  }

  @Test
  void noMorePagesAreAskedForThanAreWanted() {
    assertThat(PageSequence.read(TWO, 3, until(8))).containsExactly(0, 1, 2, 3);
    assertThat(asked).hasSize(2);
  }

  @Test
  void aPageIsAskedForBeforeTheOneBeforeIsRead() {
    CountDownLatch second = new CountDownLatch(1);
    PageSequence.Reader<Integer> plain = until(4);
    List<Boolean> ahead =
        PageSequence.read(
            TWO,
            100,
            (options, next) -> {
              TypedPage<Integer> page = plain.read(options, next);
              if (begin(options) > 0) {
                second.countDown();
              }
              return new TypedPage<>(List.of(arrives(second)), page.continueToken());
            });
    assertThat(ahead).containsExactly(true, true);
  }

  private static boolean arrives(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void whatALaterPageIsRefusedWithIsThrown() {
    PageSequence.Reader<Integer> plain = until(8);
    assertThatThrownBy(
            () ->
                PageSequence.read(
                    TWO,
                    100,
                    (options, next) -> {
                      if (begin(options) == 4) {
                        throw ApiException.badRequest("the token has expired");
                      }
                      return plain.read(options, next);
                    }))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("expired");
  }
}
