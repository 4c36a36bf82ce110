package io.fairlead.api.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class YamlTest {
  record Case(String name, String yaml, String json) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> documents() {
    return Stream.of(
        new Case("words that are true", "[y, Yes, on, TRUE]", "[true,true,true,true]"),
        new Case("words that are false", "[n, No, off, False]", "[false,false,false,false]"),
        new Case("quoted words are text", "['y', \"on\"]", "['y','on']"),
        new Case("nulls", "[~, null, '']", "[null,null,'']"),
        new Case(
            "numbers",
            "[1, -2, 0x1f, 0b11, 1_000, 1.5, 80.0, 1e3]",
            "[1,-2,31,3,1000,1.5,80,1000]"),
        new Case("octal", "[010, 0o17, 08]", "[8,15,8]"),
        new Case("beyond 2^53", "9007199254740993", "9007199254740993"),
        new Case(
            "not numbers",
            "[1.2.3, 1:30, 10.0.0.1, 1e, 0x, 2026-01-02]",
            "['1.2.3','1:30','10.0.0.1','1e','0x','2026-01-02']"),
        new Case("keys become text", "{1: a, true: b, 1.5: c}", "{'1':'a','true':'b','1.5':'c'}"),
        new Case("anchor and alias", "a: &x {k: v}\nb: *x\n", "{'a':{'k':'v'},'b':{'k':'v'}}"),
        new Case(
            "merge key",
            "a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3\n",
            "{'a':{'k':1,'l':2},'b':{'k':3,'l':2}}"),
        new Case("blocks", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", "{'a':'x\\ny\\n','b':'x y'}"),
        new Case("explicit tags", "[!!str 1, !!int '2', !!binary aGk=]", "['1',2,'hi']"),
        new Case("nothing", "", "null"),
        new Case("end markers", "---\na: 1\n...\n", "{'a':1}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  void reads(Case row) {
    assertThat(text(Yaml.parse(row.yaml()))).isEqualTo(row.json().replace('\'', '"'));
  }

  @Test
  void aliasesThatExplodeAreRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int level = 1; level < 12; level++) {
      String before = ("*a" + (level - 1) + ",").repeat(9) + "*a" + (level - 1);
      bomb.append("a%d: &a%d [%s]\n".formatted(level, level, before));
    }
    assertThatThrownBy(() -> Yaml.parse(bomb.toString()))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("aliases expand to too much");
  }

  @Test
  void anAliasInsideItsOwnAnchorIsRefused() {
    assertThatThrownBy(() -> Yaml.parse("a: &x [*x]"))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("no anchor");
  }

  @Test
  void objectsAreNotMadeFromTags() {
    assertThatThrownBy(() -> Yaml.parse("!!javax.script.ScriptEngineManager [x]"))
        .isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> Yaml.parse("!local x")).isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: \"\\x", "a: \"t\\U", "a: \"\\u", "- \"\\UFFFFFFFF\""})
  void anEscapeThatIsNoCharacterIsRefusedWithItsPlace(String yaml) {
    assertThatThrownBy(() -> Yaml.parse(yaml))
        .isInstanceOf(DecodeException.class)
        .hasMessageMatching("invalid YAML: an escape names no character .line 1, .*");
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> Yaml.parse("[".repeat(1000))).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> Yaml.parse("- ".repeat(1000))).isInstanceOf(DecodeException.class);
  }

  @Test
  void aStatusIsPrintedAsTheOriginalPrintsIt() {
    JsonNode status =
        json(
            "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
                + "'message':'configmaps \\'nosuch\\' not found','reason':'NotFound',"
                + "'details':{'name':'nosuch','kind':'configmaps'},'code':404}");
    assertThat(Yaml.write(status))
        .isEqualTo(
            """
            apiVersion: v1
            code: 404
            details:
              kind: configmaps
              name: nosuch
            kind: Status
            message: configmaps "nosuch" not found
            metadata: {}
            reason: NotFound
            status: Failure
            """);
  }

  @Test
  void listsBlocksAndQuotesAreReadable() {
    JsonNode value =
        json(
            "{'args':['-n','--x=1','true','80','a: b','# x',''],'script':'one\\ntwo\\n',"
                + "'list':[{'a':1,'b':[1,2]},[],{}],'none':null}");
    assertThat(Yaml.write(value))
        .isEqualTo(
            """
            args:
            - -n
            - --x=1
            - "true"
            - "80"
            - 'a: b'
            - '# x'
            - ""
            list:
            - a: 1
              b:
              - 1
              - 2
            - []
            - {}
            none: null
            script: |
              one
              two
            """);
  }

  private static JsonNode json(String text) {
    String quoted = text.replace("\\'", "\u0001").replace('\'', '"').replace("\u0001", "\\\"");
    return Json.parse(quoted.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(JsonNode node) {
    return new String(Json.bytes(node), StandardCharsets.UTF_8);
  }

  @ParameterizedTest(name = "{0} items")
  @ValueSource(ints = {0, 1, 3})
  void aListWrittenItemByItemIsTheSameDocument(int size) throws Exception {
    ObjectNode head = Json.object().put("kind", "ServiceList").put("apiVersion", "v1");
    head.putObject("metadata").put("resourceVersion", "7");
    List<ObjectNode> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      ObjectNode item = Json.object();
      item.putObject("metadata").put("name", "s" + i).put("note", "two\nlines\n");
      item.putObject("spec").putArray("ports").addObject().put("port", 80);
      item.putObject("status");
      items.add(item);
    }
    ObjectNode whole = head.deepCopy();
    whole.putArray("items").addAll(items);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Yaml.writeList(out, head, "items", items.iterator());
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(Yaml.write(whole));
  }

  @Test
  void objectsOfAManifestAreThoseOfAllDocumentsAndLists() {
    String manifest =
        """
        # a comment alone is no object
        ---
        kind: Service
        metadata: {name: a}
        --- # the second
        kind: List
        items:
        - {kind: Pod, metadata: {name: b}}
        - kind: ServiceList
          items: [{kind: Service, metadata: {name: c}}]
        ---
        just: text
        """;
    assertThat(Yaml.objects(manifest))
        .extracting(object -> Json.textOr(object, "", "metadata", "name"))
        .containsExactly("a", "b", "c");
    assertThat(Yaml.objects("")).isEmpty();
    assertThatThrownBy(() -> Yaml.objects("kind: Pod\n---\n[")).isInstanceOf(DecodeException.class);
  }
}
