package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.nodeapi.NodeApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the node API of a node with real rules answers.
@Tag("system")
class LiveNodeApiTest {
  private static final String CART = "10.112.0.1";
  private static ModeChangingNode node;
  private static NodeApiQuestioner questions;

  @BeforeAll
  static void build() {
    node = new ModeChangingNode();
    questions = new NodeApiQuestioner(node);
    node.start(ProxyMode.NFTABLES);
  }

  @AfterAll
  static void remove() throws IOException {
    node.close();
  }

  @Test
  void aboutAndRulesTellWhatIsWritten() {
    ObjectNode about = questions.get("about", Map.of());
    assertThat(Json.textOr(about, "", "mode")).isEqualTo("nftables");
    assertThat(Json.textOr(about, "", "written", "services")).isNotEmpty();
    assertThat(Json.textOr(about, "", "written", "slices", "IPv4")).isNotEmpty();
    ObjectNode rules = questions.get("rules", Map.of("namespace", "shop", "service", "cart"));
    JsonNode family = rules.path("families").get(0);
    assertThat(family.path("agrees").asBoolean()).as(rules.toPrettyString()).isTrue();
    assertThat(family.path("ports").get(0).path("fronts").get(0).path("backends")).hasSize(2);
    ObjectNode summary = questions.get("rules/summary", Map.of());
    assertThat(summary.path("differing").asInt(-1)).as(summary.toPrettyString()).isZero();
    assertThat(summary.path("servicePorts").asInt()).isPositive();
  }

  @Test
  void dropsAreThoseOfThePolicyComponentOfTheProcess() {
    NodeApi.Answer none = questions.answer("GET", "drops", Map.of(), Json.object());
    assertThat(none.code()).as(none.body().toString()).isEqualTo(404);
    ArrayNode drops = Json.array();
    drops.addObject().put("code", "FL160");
    node.dropped(drops);
    assertThat(questions.get("drops", Map.of()).path("drops")).hasSize(1);
  }

  @Test
  void aChangeThatNoRuleShowsCountsAsWritten() {
    String version = node.touch("cart");
    ObjectNode about = questions.get("about", Map.of("servicesAfter", version, "wait", "20"));
    assertThat(Integer.parseInt(Json.textOr(about, "0", "written", "services")))
        .isGreaterThanOrEqualTo(Integer.parseInt(version));
  }

  @Test
  void flowsAreCountedByEndpoint() {
    Map<String, String> cart = Map.of("namespace", "shop", "service", "cart", "session", "s");
    ObjectNode first = flows(cart);
    assertThat(first.path("sinceMillis").isNull()).isTrue();
    ObjectNode probes = Json.object();
    probes.putObject("from").put("pod", "pod");
    for (int i = 0; i < 8; i++) {
      probes.withArray("targets").addObject().put("address", CART).put("port", 80);
    }
    NodeApi.Answer results = questions.answer("POST", "probes", Map.of(), probes);
    assertThat(results.code()).as(results.body().toString()).isEqualTo(200);
    assertThat(results.body().path("results"))
        .hasSize(8)
        .allMatch(each -> Json.textOr(each, "", "outcome").equals("connected"))
        .allMatch(each -> each.path("reply").path("sourcePort").asInt() == 8080);
    ObjectNode then = flows(cart);
    int begun = 0;
    for (JsonNode endpoint : then.path("services").get(0).path("endpoints")) {
      begun += endpoint.path("begun").asInt();
      assertThat(endpoint.path("expect").asDouble()).isEqualTo(0.5);
    }
    assertThat(begun).as(then.toPrettyString()).isBetween(0, 8);
    assertThat(flows(Map.of("namespace", "")).path("services").size()).isGreaterThan(5);
  }

  private static ObjectNode flows(Map<String, String> query) {
    NodeApi.Answer answer = questions.answer("GET", "flows", query, Json.object(), "me");
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void listenersOfAPodAreListed() {
    ObjectNode document = questions.get("listeners", Map.of("pod", "L1"));
    assertThat(document.path("listeners"))
        .anyMatch(
            each ->
                each.path("port").asInt() == 8080
                    && Json.textOr(each, "", "protocol").equals("TCP"));
    assertThat(
            questions.answer("GET", "listeners", Map.of("pod", "elsewhere"), Json.object()).code())
        .isEqualTo(404);
  }

  @Test
  void checksShowTheKernelsSettings() {
    questions.shell(
        node.lab().node(),
        """
        nft 'table inet shut { chain pass { type filter hook forward priority 10; policy drop; \
          ct state established accept; iifname "docker0" accept; }; }'
        nft 'table ip open { chain pass { type filter hook forward priority 10; policy drop; \
          ip saddr 10.64.0.0/14 accept; }; }'
        """);
    ObjectNode checks;
    try {
      checks = questions.get("checks", Map.of());
    } finally {
      questions.shell(node.lab().node(), "nft delete table inet shut; nft delete table ip open");
    }
    assertThat(checks.path("forwardPolicies").valueStream().map(JsonNode::toString))
        .containsExactlyInAnyOrder(firewall("inet", "shut", false), firewall("ip", "open", true));
    assertThat(Json.textOr(checks, "", "sysctls", "net.ipv4.ip_forward")).isEqualTo("1");
    assertThat(checks.path("conntrack").path("max").asInt())
        .as("all digits of it")
        .isGreaterThan(1000);
  }

  private static String firewall(String family, String table, boolean acceptsPods) {
    return Json.object()
        .put("family", family)
        .put("table", table)
        .put("chain", "pass")
        .put("policy", "drop")
        .put("acceptsPods", acceptsPods)
        .toString();
  }

  @Test
  void v129TheEleventhRequestWithinASecondIsRefused() {
    List<Integer> codes = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      NodeApi.Answer answer = questions.answer("GET", "nothing", Map.of(), Json.object(), "eager");
      codes.add(answer.code());
    }
    assertThat(codes.subList(0, 10)).containsOnly(404);
    assertThat(codes.getLast()).isEqualTo(429);
  }
}
