package io.fairlead.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// The map behind plans, held against a plain one.
class PersistentMapTest {
  /// A key whose hash collides often.
  private record Key(int number) {
    @Override
    public int hashCode() {
      return number % 64 * 0x10001;
    }
  }

  @RepeatedTest(20)
  void behavesAsAPlainMapAndOldVersionsStay(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    Map<Key, Integer> plain = new HashMap<>();
    PersistentMap<Key, Integer> map = PersistentMap.empty();
    Map<Key, Integer> plainBefore = Map.of();
    PersistentMap<Key, Integer> before = map;
    for (int i = 0; i < 2000; i++) {
      Key key = new Key(random.nextInt(300));
      if (random.nextInt(3) == 0) {
        plain.remove(key);
        map = map.without(key);
      } else {
        plain.put(key, i);
        map = map.with(key, i);
      }
      if (i == 1000) {
        plainBefore = Map.copyOf(plain);
        before = map;
      }
    }
    assertThat(content(map)).isEqualTo(plain);
    assertThat(map.size()).isEqualTo(plain.size());
    assertThat(content(before)).isEqualTo(plainBefore);
    Set<Key> differing = new HashSet<>();
    map.differencesTo(before, (key, _, _) -> assertThat(differing.add(key)).isTrue());
    Set<Key> expected = new HashSet<>(plain.keySet());
    expected.addAll(plainBefore.keySet());
    Map<Key, Integer> old = plainBefore;
    expected.removeIf(key -> Objects.equals(plain.get(key), old.get(key)));
    assertThat(differing).isEqualTo(expected);
  }

  @RepeatedTest(20)
  void madeAtOnceIsAsMadeOneByOne(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    Map<Key, Integer> plain = new HashMap<>();
    PersistentMap<Key, Integer> oneByOne = PersistentMap.empty();
    for (int i = random.nextInt(400); i > 0; i--) {
      Key key = new Key(random.nextInt(300));
      plain.put(key, i);
      oneByOne = oneByOne.with(key, i);
    }
    PersistentMap<Key, Integer> atOnce = PersistentMap.of(plain);
    assertThat(content(atOnce)).isEqualTo(plain);
    assertThat(atOnce.size()).isEqualTo(plain.size());
    plain.forEach((key, value) -> assertThat(atOnce.get(key)).isEqualTo(value));
    atOnce.differencesTo(oneByOne, (key, _, _) -> assertThat(key).as("differs").isNull());
    PersistentMap<Key, Integer> emptied = atOnce;
    for (Key key : plain.keySet()) {
      emptied = emptied.without(key);
    }
    assertThat(content(emptied)).isEmpty();
  }

  @Test
  void anEqualValueIsNoChange() {
    PersistentMap<String, String> map = PersistentMap.<String, String>empty().with("a", "b");
    assertThat(map.with("a", "b")).isSameAs(map);
    assertThat(map.without("x")).isSameAs(map);
  }

  private static Map<Key, Integer> content(PersistentMap<Key, Integer> map) {
    Map<Key, Integer> content = new HashMap<>();
    map.forEach(content::put);
    return content;
  }
}
