package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapGrowthLimiterTest {
  private final HeapGrowthLimiter keeper = new HeapGrowthLimiter();

  @Test
  void aSmallHeapIsLeftAlone() {
    assertThat(keeper.isOvergrown(HeapGrowthLimiter.SMALL)).isFalse();
    assertThat(keeper.isOvergrown(HeapGrowthLimiter.SMALL + 1)).isTrue();
  }

  @Test
  void aHeapMayGrowByHalfSinceItWasCollected() {
    keeper.settled(2 * HeapGrowthLimiter.SMALL);
    assertThat(keeper.isOvergrown(3 * HeapGrowthLimiter.SMALL)).isFalse();
    assertThat(keeper.isOvergrown(3 * HeapGrowthLimiter.SMALL + 1)).isTrue();
  }

  @Test
  void whatWasCollectedIsMeasuredAnew() {
    keeper.settled(4 * HeapGrowthLimiter.SMALL);
    keeper.settled(HeapGrowthLimiter.SMALL);
    assertThat(keeper.isOvergrown(2 * HeapGrowthLimiter.SMALL)).isTrue();
  }

  @Test
  void whatIsSmallCanBeSaid() {
    HeapGrowthLimiter strict = new HeapGrowthLimiter(1000);
    assertThat(strict.isOvergrown(1000)).isFalse();
    assertThat(strict.isOvergrown(1001)).isTrue();
  }

  @Test
  void aHeapThatShrankIsLookedAtAgainUntilItDoesNotAnyMore() {
    keeper.collected(4 * HeapGrowthLimiter.SMALL, 2 * HeapGrowthLimiter.SMALL);
    assertThat(keeper.isOvergrown(2 * HeapGrowthLimiter.SMALL)).isTrue();
    keeper.collected(2 * HeapGrowthLimiter.SMALL, 2 * HeapGrowthLimiter.SMALL);
    assertThat(keeper.isOvergrown(2 * HeapGrowthLimiter.SMALL)).isFalse();
  }
}
