package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapKeeperTest {
  private final HeapKeeper keeper = new HeapKeeper();

  @Test
  void aSmallHeapIsLeftAlone() {
    assertThat(keeper.isOvergrown(HeapKeeper.SMALL)).isFalse();
    assertThat(keeper.isOvergrown(HeapKeeper.SMALL + 1)).isTrue();
  }

  @Test
  void aHeapMayGrowByHalfSinceItWasCollected() {
    keeper.settled(2 * HeapKeeper.SMALL);
    assertThat(keeper.isOvergrown(3 * HeapKeeper.SMALL)).isFalse();
    assertThat(keeper.isOvergrown(3 * HeapKeeper.SMALL + 1)).isTrue();
  }

  @Test
  void whatWasCollectedIsMeasuredAnew() {
    keeper.settled(4 * HeapKeeper.SMALL);
    keeper.settled(HeapKeeper.SMALL);
    assertThat(keeper.isOvergrown(2 * HeapKeeper.SMALL)).isTrue();
  }

  @Test
  void whatIsSmallCanBeSaid() {
    HeapKeeper strict = new HeapKeeper(1000);
    assertThat(strict.isOvergrown(1000)).isFalse();
    assertThat(strict.isOvergrown(1001)).isTrue();
  }

  @Test
  void aHeapThatShrankIsLookedAtAgainUntilItDoesNotAnyMore() {
    keeper.collected(4 * HeapKeeper.SMALL, 2 * HeapKeeper.SMALL);
    assertThat(keeper.isOvergrown(2 * HeapKeeper.SMALL)).isTrue();
    keeper.collected(2 * HeapKeeper.SMALL, 2 * HeapKeeper.SMALL);
    assertThat(keeper.isOvergrown(2 * HeapKeeper.SMALL)).isFalse();
  }
}
