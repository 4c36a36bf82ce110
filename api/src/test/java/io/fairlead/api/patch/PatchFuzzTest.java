package io.fairlead.api.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.work.testing.FuzzRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Whatever a patch says, it is applied or refused with an ApiException, and the object it was
/// meant for stays as it was. A failure names its seed.
class PatchFuzzTest {
  private static final StructType SERVICE =
      Schemas.kubernetes().struct("io.k8s.api.core.v1.Service");
  private static final String OBJECT =
      "{'kind':'Service','apiVersion':'v1','metadata':{'name':'a','labels':{'a':'b','c/d':'e'},"
          + "'finalizers':['x','y']},'spec':{'ports':[{'name':'a','port':80,'protocol':'TCP'},"
          + "{'name':'b','port':81,'protocol':'UDP'}],'selector':{'app':'x'},'clusterIPs':['1']}}";

  /// A way to patch, and bodies of which each is good before it is damaged.
  record Way(String name, Application application, List<String> bodies) {
    @Override
    public String toString() {
      return name;
    }
  }

  interface Application {
    ObjectNode apply(ObjectNode object, byte[] body);
  }

  static Stream<Way> ways() {
    return Stream.of(
        new Way(
            "JSON patch",
            (object, body) -> JsonPatch.apply(object, PatchBody.operations(body)),
            List.of(
                "[{'op':'add','path':'/metadata/labels/c~1d','value':{'x':[1,2]}}]",
                "[{'op':'replace','path':'/spec/ports/0/port','value':8080},"
                    + "{'op':'remove','path':'/spec/ports/1'}]",
                "[{'op':'move','from':'/spec/selector','path':'/metadata/labels'},"
                    + "{'op':'copy','from':'/spec/ports/0','path':'/spec/ports/-'}]",
                "[{'op':'test','path':'/metadata/name','value':'a'}]")),
        new Way(
            "merge patch",
            (object, body) -> MergePatch.apply(object, PatchBody.object(body)),
            List.of(
                "{'metadata':{'labels':{'a':null,'n':'m'}},'spec':{'ports':[{'port':1}]}}",
                "{'spec':null,'status':{'x':{'y':{'z':[]}}}}")),
        new Way(
            "strategic merge patch",
            (object, body) -> StrategicMergePatch.apply(object, PatchBody.object(body), SERVICE),
            List.of(
                "{'spec':{'ports':[{'port':80,'name':'n'},{'port':81,'$patch':'delete'}]}}",
                "{'spec':{'$setElementOrder/ports':[{'port':81},{'port':80}],"
                    + "'$retainKeys':['ports'],'ports':[{'port':81,'name':'z'}]}}",
                "{'metadata':{'$deleteFromPrimitiveList/finalizers':['x'],"
                    + "'$setElementOrder/finalizers':['y','x'],'labels':{'$patch':'replace'}}}")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  void isAppliedOrRefused(Way way) {
    Random random = new Random(FuzzRun.SEED);
    ObjectNode object = TestJson.object(OBJECT);
    ObjectNode before = object.deepCopy();
    int applied = 0;
    int refused = 0;
    for (int round = 0; round < FuzzRun.COUNT || applied == 0 || refused == 0; round++) {
      String good = way.bodies().get(random.nextInt(way.bodies().size())).replace('\'', '"');
      byte[] body = good.getBytes(StandardCharsets.UTF_8);
      damage(body, random);
      try {
        Json.bytes(way.application().apply(object, body));
        applied++;
      } catch (ApiException e) {
        refused++;
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw new AssertionError(
            way
                + " seed "
                + FuzzRun.SEED
                + " body "
                + new String(body, StandardCharsets.ISO_8859_1),
            e);
      }
      if (round % 100 == 0) {
        assertThat(object).as("seed " + FuzzRun.SEED).isEqualTo(before);
      }
    }
  }

  /// Changes a few bytes: at random, or to characters that mean something in patches.
  private static void damage(byte[] body, Random random) {
    byte[] meaningful = "{}[]:,\"/~$-01null\\".getBytes(StandardCharsets.UTF_8);
    for (int count = random.nextInt(4); count > 0; count--) {
      int at = random.nextInt(body.length);
      body[at] =
          random.nextBoolean()
              ? meaningful[random.nextInt(meaningful.length)]
              : (byte) random.nextInt(256);
    }
  }
}
