package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.TestServer.Answer;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Definitions that are made to fill the server's memory or its stack, and objects that do it where
/// an honest definition lets them. A definition is read again at every start: one that gets in
/// would keep the server down.
@Tag("slow")
class DefinitionAttackTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Answer define(String plural, String properties) {
    return server.post(
        DEFINITIONS,
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':"
            + "{'name':'"
            + plural
            + ".x.io'},'spec':{'group':'x.io','scope':'Namespaced','names':{'plural':'"
            + plural
            + "','kind':'"
            + plural
            + "'},'versions':[{'name':'v1','served':true,'storage':true,'schema':"
            + "{'openAPIV3Schema':{'type':'object','properties':{"
            + properties
            + "}}}}]}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((a{100}){100}){100}",
        "((((a{1000}){1000}){1000}){1000}){1000}",
        "(((((a{0,10}){0,10}){0,10}){0,10}){0,10}){0,10}"
      })
  void aPatternThatIsAsLargeAsTheMemoryIsRefused(String pattern) {
    Answer refused = define("bombs", "'a':{'type':'string','pattern':'" + pattern + "'}");
    assertThat(refused.code()).as(refused.text()).isEqualTo(422);
    assertThat(refused.message()).contains("must be a valid regular expression, but isn't");
    stillServes();
  }

  @Test
  void patternsThatAreTooLargeTogetherAreRefused() {
    String many =
        IntStream.range(0, 15_000)
            .mapToObj(each -> "'p" + each + "':{'type':'string','pattern':'x{1000}'}")
            .collect(Collectors.joining(","));
    Answer refused = define("manies", many);
    assertThat(refused.code()).as(refused.message()).isEqualTo(422);
    assertThat(refused.message()).contains("too large together");
    stillServes();
  }

  private void stillServes() {
    assertThat(define("laters", "'a':{'type':'string'}").code()).isEqualTo(201);
    await().atMost(PATIENCE).until(() -> server.get(objects("laters")).code() == 200);
  }

  private static String objects(String plural) {
    return "/apis/x.io/v1/namespaces/default/" + plural;
  }

  /// Each finding repeats all that would be right.
  @Test
  void anObjectThatIsWrongInVeryManyPlacesGetsAShortAnswer() {
    String choices =
        IntStream.range(0, 2000)
            .mapToObj(each -> "'choice-" + each + "'")
            .collect(Collectors.joining(","));
    define("lists", "'l':{'type':'array','items':{'type':'string','enum':[" + choices + "]}}");
    await().atMost(PATIENCE).until(() -> server.get(objects("lists")).code() == 200);
    Answer refused =
        server.post(
            objects("lists"),
            "{'apiVersion':'x.io/v1','kind':'lists','metadata':{'name':'a'},'l':["
                + "'w',".repeat(200_000)
                + "'w']}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.text().length()).isLessThan(10 << 20);
    assertThat(refused.message()).contains("l[0]: Unsupported value: \"w\"");
  }
}
