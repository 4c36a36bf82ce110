package io.fairlead.api.patch;

import static io.fairlead.api.patch.TestJson.json;
import static io.fairlead.api.patch.TestJson.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class MergePatchTest {
  /// RFC 7386 appendix A.
  @ParameterizedTest(name = "{0} with {1} becomes {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'b'} | {'a':'c'} | {'a':'c'}",
        "{'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}",
        "{'a':'b'} | {'a':null} | {}",
        "{'a':'b','b':'c'} | {'a':null} | {'b':'c'}",
        "{'a':['b']} | {'a':'c'} | {'a':'c'}",
        "{'a':'c'} | {'a':['b']} | {'a':['b']}",
        "{'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}",
        "['a','b'] | ['c','d'] | ['c','d']",
        "{'a':'b'} | ['c'] | ['c']",
        "{'a':'foo'} | null | null",
        "{'a':'foo'} | 'bar' | 'bar'",
        "{'e':null} | {'a':1} | {'e':null,'a':1}",
        "[1,2] | {'a':'b','c':null} | {'a':'b'}",
        "{} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
      })
  void vectors(String current, String patch, String result) {
    assertThat(MergePatch.applyAny(json(current), json(patch))).isEqualTo(json(result));
  }

  @Test
  void leavesItsArgumentsAlone() {
    ObjectNode current = object("{'a':{'b':1}}");
    ObjectNode patch = object("{'a':{'c':{'d':2,'e':null}}}");
    ObjectNode result = MergePatch.apply(current, patch);
    result.withObject("/a/c").put("d", 3);
    assertThat(current).isEqualTo(object("{'a':{'b':1}}"));
    assertThat(patch).isEqualTo(object("{'a':{'c':{'d':2,'e':null}}}"));
  }

  @Test
  void twiceIsOnce() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(23);
    for (int i = 0; i < 5_000; i++) {
      ObjectNode current = (ObjectNode) RandomJson.object(random, 3);
      ObjectNode patch = (ObjectNode) RandomJson.object(random, 3);
      ObjectNode once = MergePatch.apply(current, patch);
      assertThat(MergePatch.apply(once, patch)).isEqualTo(once);
    }
  }

  @ParameterizedTest(name = "[{0}] is no merge patch")
  @CsvSource(
      quoteCharacter = '`',
      value = {"{nope", "[1]", "3", "``", "{'a':1}x"})
  void undecodable(String body) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> PatchBody.object(body.getBytes(StandardCharsets.UTF_8)))
        .withMessageStartingWith("error decoding patch: ")
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(400));
  }
}
