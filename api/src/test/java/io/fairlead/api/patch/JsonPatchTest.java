package io.fairlead.api.patch;

import static io.fairlead.api.patch.TestJson.json;
import static io.fairlead.api.patch.TestJson.list;
import static io.fairlead.api.patch.TestJson.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.zjsonpatch.JsonPatchException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonPatchTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "A.1 add a member | {'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux'}] | {'baz':'qux','foo':'bar'}",
        "A.2 add an item | {'foo':['bar','baz']} | [{'op':'add','path':'/foo/1','value':'qux'}] | {'foo':['bar','qux','baz']}",
        "A.3 remove a member | {'baz':'qux','foo':'bar'} | [{'op':'remove','path':'/baz'}] | {'foo':'bar'}",
        "A.4 remove an item | {'foo':['bar','qux','baz']} | [{'op':'remove','path':'/foo/1'}] | {'foo':['bar','baz']}",
        "A.5 replace | {'baz':'qux','foo':'bar'} | [{'op':'replace','path':'/baz','value':'boo'}] | {'baz':'boo','foo':'bar'}",
        "A.6 move a value | {'foo':{'bar':'baz','waldo':'fred'},'qux':{'corge':'grault'}} | [{'op':'move','from':'/foo/waldo','path':'/qux/thud'}] | {'foo':{'bar':'baz'},'qux':{'corge':'grault','thud':'fred'}}",
        "A.7 move an item | {'foo':['all','grass','cows','eat']} | [{'op':'move','from':'/foo/1','path':'/foo/3'}] | {'foo':['all','cows','eat','grass']}",
        "A.8 test | {'baz':'qux','foo':['a',2,'c']} | [{'op':'test','path':'/baz','value':'qux'},{'op':'test','path':'/foo/1','value':2}] | {'baz':'qux','foo':['a',2,'c']}",
        "A.9 test fails | {'baz':'qux'} | [{'op':'test','path':'/baz','value':'bar'}] | 422",
        "A.10 add a nested object | {'foo':'bar'} | [{'op':'add','path':'/child','value':{'grandchild':{}}}] | {'foo':'bar','child':{'grandchild':{}}}",
        "A.11 unknown members are ignored | {'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux','xyz':123}] | {'foo':'bar','baz':'qux'}",
        "A.12 add below nothing | {'foo':'bar'} | [{'op':'add','path':'/baz/bat','value':'qux'}] | 422",
        "A.14 escapes | {'/':9,'~1':10} | [{'op':'test','path':'/~01','value':10},{'op':'replace','path':'/~1','value':1}] | {'/':1,'~1':10}",
        "A.15 text is not a number | {'/':9,'~1':10} | [{'op':'test','path':'/~01','value':'10'}] | 422",
        "A.16 append a list | {'foo':['bar']} | [{'op':'add','path':'/foo/-','value':['abc','def']}] | {'foo':['bar',['abc','def']]}",
        "copy | {'a':{'b':1}} | [{'op':'copy','from':'/a','path':'/c'},{'op':'add','path':'/c/d','value':2}] | {'a':{'b':1},'c':{'b':1,'d':2}}",
        "move into itself | {'a':{'b':1}} | [{'op':'move','from':'/a','path':'/a/c'}] | 422",
        "move to the same place | {'a':1} | [{'op':'move','from':'/a','path':'/a'}] | {'a':1}",
        "move from nowhere | {'a':1} | [{'op':'move','from':'/b','path':'/c'}] | 422",
        "replace nothing | {'a':1} | [{'op':'replace','path':'/b','value':1}] | 422",
        "remove nothing | {'a':1} | [{'op':'remove','path':'/b'}] | 422",
        "remove behind the end | {'a':[1]} | [{'op':'remove','path':'/a/1'}] | 422",
        "remove at - | {'a':[1]} | [{'op':'remove','path':'/a/-'}] | 422",
        "add at the end by number | {'a':[1]} | [{'op':'add','path':'/a/1','value':2}] | {'a':[1,2]}",
        "add behind the end | {'a':[1]} | [{'op':'add','path':'/a/2','value':2}] | 422",
        "leading zero | {'a':[1,2]} | [{'op':'remove','path':'/a/00'}] | 422",
        "negative index | {'a':[1,2]} | [{'op':'remove','path':'/a/-1'}] | 422",
        "huge index | {'a':[1]} | [{'op':'remove','path':'/a/99999999999999999999'}] | 422",
        "into a scalar | {'a':1} | [{'op':'add','path':'/a/b','value':1}] | 422",
        "null is a value | {'a':1} | [{'op':'add','path':'/b','value':null}] | {'a':1,'b':null}",
        "value missing | {'a':1} | [{'op':'add','path':'/b'}] | 422",
        "path missing | {'a':1} | [{'op':'remove'}] | 422",
        "path without slash | {'a':1} | [{'op':'remove','path':'a'}] | 422",
        "bad escape | {'a~':1} | [{'op':'remove','path':'/a~'}] | 422",
        "unknown operation | {'a':1} | [{'op':'frob','path':'/a'}] | 422",
        "operation that is no object | {'a':1} | ['x'] | 422",
        "replace the root | {'a':1} | [{'op':'replace','path':'','value':{'b':2}}] | {'b':2}",
        "root becomes a list | {'a':1} | [{'op':'replace','path':'','value':[]}] | 422",
        "remove the root | {'a':1} | [{'op':'remove','path':''}] | 422",
        "empty key | {'':1} | [{'op':'remove','path':'/'}] | {}",
        "numbers are compared by value | {'a':1.0} | [{'op':'test','path':'/a','value':1}] | {'a':1.0}",
        "members in any order are equal | {'a':{'b':1,'c':2}} | [{'op':'test','path':'/a','value':{'c':2,'b':1}}] | {'a':{'b':1,'c':2}}",
        "nothing | {'a':1} | [] | {'a':1}",
      })
  void vectors(String name, String current, String patch, String result) {
    if (result.equals("422")) {
      assertThatExceptionOfType(ApiException.class)
          .isThrownBy(() -> JsonPatch.apply(object(current), list(patch)))
          .withMessage("the server rejected our request due to an error in our request")
          .satisfies(e -> assertThat(e.status().code()).isEqualTo(422))
          .satisfies(e -> assertThat(e.status().reason()).isEqualTo("Invalid"));
    } else {
      assertThat(JsonPatch.apply(object(current), list(patch))).isEqualTo(json(result));
    }
  }

  @Test
  void copiesAreBounded() {
    ObjectNode current = object("{'a':[1,2,3]}");
    ArrayNode bomb = Json.array();
    for (int i = 0; i < 60; i++) {
      bomb.addObject().put("op", "copy").put("from", "/a").put("path", "/a/-");
    }
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> JsonPatch.apply(current, bomb))
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(413));
  }

  @Test
  void operationsAreBounded() {
    ArrayNode many = Json.array();
    for (int i = 0; i <= JsonPatch.MAX_OPERATIONS; i++) {
      many.addObject().put("op", "test").put("path", "/a").put("value", 1);
    }
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> JsonPatch.apply(object("{'a':1}"), many))
        .withMessage(
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000,"
                + " got 10001");
  }

  @Test
  void bodyMustBeAList() {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> PatchBody.operations("{}".getBytes(StandardCharsets.UTF_8)))
        .withMessageStartingWith("error decoding patch: ");
  }

  /// Random patches against another implementation of the RFC. That one lets the removal of nothing
  /// pass, so only what we accept is compared.
  @Test
  void agreesWithZjsonpatch() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(31);
    int succeeded = 0;
    for (int i = 0; i < 20_000; i++) {
      JsonNode current = RandomJson.object(random, 3);
      ArrayNode patch = Json.array();
      for (int size = 1 + random.nextInt(2); size > 0; size--) {
        patch.add(operation(random));
      }
      JsonNode ours = ours(current, patch);
      if (ours != null) {
        assertThat(ours).as("%s %s", current, patch).isEqualTo(theirs(current, patch));
        succeeded++;
      }
    }
    assertThat(succeeded).isGreaterThan(500);
  }

  private static @Nullable JsonNode ours(JsonNode current, ArrayNode patch) {
    try {
      return JsonPatch.applyAny(current, patch);
    } catch (ApiException e) {
      return null;
    }
  }

  private static @Nullable JsonNode theirs(JsonNode current, ArrayNode patch) {
    try {
      return io.fabric8.zjsonpatch.JsonPatch.apply(patch, current);
    } catch (JsonPatchException e) {
      return null;
    }
  }

  private static ObjectNode operation(RandomGenerator random) {
    String[] names = {"add", "remove", "replace", "move", "copy", "test"};
    ObjectNode operation = Json.object();
    operation.put("op", names[random.nextInt(names.length)]);
    operation.put("path", pointer(random));
    operation.put("from", pointer(random));
    JsonNode value = RandomJson.value(random, 1);
    // To us nothing and null are the same, to the other one not.
    operation.set("value", value.isNull() ? Json.array() : value);
    return operation;
  }

  private static String pointer(RandomGenerator random) {
    StringBuilder pointer = new StringBuilder();
    for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
      String key = random.nextInt(8) == 0 ? "-" : RandomJson.key(random);
      pointer.append('/').append(key.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  @Test
  void aTestThatDoesNotHoldMayLeaveTheObjectAsItIs() {
    ObjectNode object = object("{'a':1}");
    String replace = "{'op':'replace','path':'/a','value':2}";
    assertThat(
            JsonPatch.applyIfTestsHold(
                object, list("[{'op':'test','path':'/a','value':3}," + replace + "]")))
        .isNull();
    assertThat(
            JsonPatch.applyIfTestsHold(
                object, list("[{'op':'test','path':'/a','value':1}," + replace + "]")))
        .isEqualTo(object("{'a':2}"));
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(
            () -> JsonPatch.applyIfTestsHold(object, list("[{'op':'remove','path':'/b'}]")));
  }
}
