package io.fairlead.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShuffleShardingTest {
  @Test
  void aHandHoldsDifferentQueues() {
    for (int i = 0; i < 1000; i++) {
      int[] hand = hand("flow" + i, 16, 4);
      assertThat(hand).hasSize(4).doesNotHaveDuplicates();
      assertThat(Arrays.stream(hand).allMatch(queue -> queue >= 0 && queue < 16)).isTrue();
    }
  }

  @Test
  void theDigitsOfTheHashSayWhichOfTheRestIsTaken() {
    // 1 + 5 * (0 + 4 * 2): number 1 of five, then number 0 of four, then number 2 of three.
    assertThat(ShuffleSharding.hand(41, 5, 3)).containsExactly(1, 0, 4);
    assertThat(ShuffleSharding.hand(0, 3, 3)).containsExactly(0, 1, 2);
    assertThat(ShuffleSharding.hand(-1, 1, 1)).containsExactly(0);
  }

  @Test
  void flowsSpreadOverAllQueuesAndSeldomShareAHand() {
    Set<Integer> used = new HashSet<>();
    Set<Set<Integer>> hands = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      int[] hand = hand("flow" + i, 128, 6);
      IntStream.of(hand).forEach(used::add);
      hands.add(new HashSet<>(Arrays.stream(hand).boxed().toList()));
    }
    assertThat(used).hasSize(128);
    assertThat(hands).hasSize(500);
  }

  @Test
  void nameAndFlowAreKeptApart() {
    assertThat(ShuffleSharding.hash("a", "bc")).isNotEqualTo(ShuffleSharding.hash("ab", "c"));
    assertThat(ShuffleSharding.hash("a", "bc")).isEqualTo(ShuffleSharding.hash("a", "bc"));
  }

  private static int[] hand(String flow, int queues, int size) {
    return ShuffleSharding.hand(ShuffleSharding.hash("schema", flow), queues, size);
  }
}
