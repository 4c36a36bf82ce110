package io.fairlead.dns.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Every vector of section 5 has a row or a test somewhere.
class VectorCoverageTest {
  private static final int LAST = 116;
  private static final String PACKETS = "io.fairlead.dns.server.PacketVectorsTest";
  private static final Map<Integer, String> ELSEWHERE = new HashMap<>();

  static {
    ELSEWHERE.put(62, PACKETS + "#vector62");
    ELSEWHERE.put(80, PACKETS + "#vector80");
    ELSEWHERE.put(100, PACKETS + "#vector100");
    for (int vector : new int[] {101, 102, 103, 104}) {
      ELSEWHERE.put(vector, PACKETS + "#vectors101To104");
    }
    ELSEWHERE.put(105, PACKETS + "#vector105");
    ELSEWHERE.put(106, PACKETS + "#vector106");
    ELSEWHERE.put(108, PACKETS + "#vectors108And112");
    ELSEWHERE.put(109, PACKETS + "#vector109");
    ELSEWHERE.put(110, PACKETS + "#vector110");
    ELSEWHERE.put(111, PACKETS + "#vector111");
    ELSEWHERE.put(112, PACKETS + "#vectors108And112");
    String plugins = "io.fairlead.dns.server.PluginVectorsTest";
    for (int vector : new int[] {98, 99, 107, 114, 116}) {
      ELSEWHERE.put(vector, plugins + "#vector" + vector);
    }
    ELSEWHERE.put(115, "io.fairlead.dns.builtin.LoopPluginTest#vector115");
  }

  @Test
  void everyVectorHasARow() {
    Set<Integer> rows =
        DnsVectors.all().stream()
            .map(vector -> vector.id().replaceAll("[^0-9]", ""))
            .filter(id -> !id.isEmpty())
            .map(Integer::valueOf)
            .collect(Collectors.toCollection(TreeSet::new));
    rows.addAll(ELSEWHERE.keySet());
    assertThat(rows).containsAll(IntStream.rangeClosed(1, LAST).boxed().toList());
  }

  @Test
  void testsElsewhereExist() throws ClassNotFoundException {
    for (String place : ELSEWHERE.values()) {
      String[] parts = place.split("#");
      assertThat(Arrays.stream(Class.forName(parts[0]).getDeclaredMethods()))
          .anyMatch(method -> method.getName().startsWith(parts[1]));
    }
  }
}
