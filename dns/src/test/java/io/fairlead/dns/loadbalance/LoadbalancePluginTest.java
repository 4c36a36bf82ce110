package io.fairlead.dns.loadbalance;

import static io.fairlead.dns.testing.TestReplies.a;
import static io.fairlead.dns.testing.TestReplies.cname;
import static io.fairlead.dns.testing.TestReplies.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.wire.ResourceRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadbalancePluginTest {
  private static final ResourceRecord ONE = a("x.example", 60, "10.0.0.1");
  private static final ResourceRecord TWO = a("x.example", 60, "10.0.0.2");
  private static final ResourceRecord THREE = a("x.example", 60, "192.168.0.3");

  @TempDir private Path directory;

  private static Map<String, Integer> firsts(Rig rig, int times) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < times; i++) {
      Reply reply = rig.ask("x.example", "A");
      counts.merge(reply.answer().getFirst().data().toString(), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void vector107EachAddressIsFirstAboutAsOften() throws SetupException {
    try (Rig rig = new Rig("loadbalance", _ -> found(ONE, TWO, THREE))) {
      Map<String, Integer> counts = firsts(rig, 300);
      assertThat(counts).hasSize(3);
      assertThat(counts.values()).allMatch(count -> count >= 60 && count <= 141);
    }
  }

  @Test
  void aliasesStayInFront() throws SetupException {
    try (Rig rig =
        new Rig(
            "loadbalance round_robin", _ -> found(ONE, TWO, cname("y.example", 60, "x.example")))) {
      for (int i = 0; i < 20; i++) {
        assertThat(rig.ask("y.example", "A").answer().getFirst().type()).isEqualTo(5);
      }
    }
  }

  @Test
  void manyRecordsAreTurned() throws SetupException {
    List<ResourceRecord> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(a("x.example", 60, "10.0.1." + i));
    }
    try (Rig rig = new Rig("loadbalance", _ -> found(many.toArray(ResourceRecord[]::new)))) {
      List<ResourceRecord> answer = rig.ask("x.example", "A").answer();
      assertThat(answer).containsExactlyInAnyOrderElementsOf(many);
      int start = many.indexOf(answer.getFirst());
      assertThat(answer.get(1)).isEqualTo(many.get((start + 1) % 100));
      assertThat(firsts(rig, 200).size()).isGreaterThan(50);
    }
  }

  @Test
  void preferredRangesComeFirst() throws SetupException {
    try (Rig rig =
        new Rig("loadbalance {\n prefer 192.168.0.0/16\n}", _ -> found(ONE, TWO, THREE))) {
      assertThat(firsts(rig, 30)).containsOnlyKeys("192.168.0.3");
    }
  }

  @Test
  void answersCanBeLimited() throws SetupException {
    try (Rig rig = new Rig("loadbalance {\n limit_answers 2\n}", _ -> found(ONE, TWO, THREE))) {
      assertThat(rig.ask("x.example", "A").answer()).hasSize(2);
    }
  }

  @Test
  void weightsDecideWhoIsFirst() throws Exception {
    Path file = directory.resolve("weights");
    Files.writeString(file, "# comment\nx.example\n10.0.0.1 200\n10.0.0.2 1\n192.168.0.3 1\n");
    try (Rig rig = new Rig("loadbalance weighted " + file, _ -> found(TWO, ONE, THREE))) {
      assertThat(firsts(rig, 200).get("10.0.0.1")).isGreaterThan(180);
    }
  }

  @Test
  void mistakesAreNamed() throws Exception {
    Path file = directory.resolve("weights");
    Files.writeString(file, "x.example\n10.0.0.1 300\n");
    assertThatThrownBy(() -> new Rig("loadbalance weighted " + file, Rig.refusing()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("line 2: expected ADDRESS WEIGHT (1 to 255)");
    assertThatThrownBy(() -> new Rig("loadbalance fastest", Rig.refusing()))
        .hasMessageContaining("unknown policy 'fastest'");
    assertThatThrownBy(() -> new Rig("loadbalance {\n prefer x\n}", Rig.refusing()))
        .hasMessageContaining("'x' is no range");
  }
}
