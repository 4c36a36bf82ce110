package io.fairlead.server.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class IndentedJsonTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void aListItemByItemLooksLikeTheWholeTree(int items) {
    List<JsonNode> shown =
        java.util.stream.IntStream.range(0, items)
            .<JsonNode>mapToObj(IndentedJsonTest::item)
            .toList();
    ObjectNode head = Json.object().put("kind", "ServiceList");
    head.putObject("metadata").put("resourceVersion", "7");
    ObjectNode whole = head.deepCopy();
    whole.putArray("items").addAll(shown);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    IndentedJson.list(out, head, "items", shown, item -> item);
    assertThat(out.toString(UTF_8)).isEqualTo(new String(IndentedJson.bytes(whole), UTF_8) + "\n");
  }

  private static ObjectNode item(int number) {
    ObjectNode item = Json.object();
    item.putObject("metadata").put("name", "ü" + number).putArray("finalizers");
    item.putObject("spec").putArray("ports").addObject().put("port", 80);
    return item;
  }
}
