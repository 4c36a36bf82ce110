package io.fairlead.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.work.testing.FuzzRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What is written is read back the same, for random objects of every kind. A failure names its
/// seed.
class RoundTripTest {
  private static final int ROUNDS = 10;

  private final Random random = new Random(FuzzRun.SEED);

  @Test
  void canonicalObjectsAreLeftAlone() {
    each(
        (type, object) -> {
          DecodedBody decoded = Decoder.decode(Json.bytes(object), BodyFormat.JSON, type);
          assertThat(decoded.strictProblems()).isEmpty();
          return decoded.object();
        });
  }

  @Test
  void protobufKeepsEverything() {
    each(
        (type, object) ->
            Decoder.decode(ProtobufWriter.write(object, type), BodyFormat.PROTOBUF, type).object());
  }

  @Test
  void yamlKeepsEverything() {
    each(
        (type, object) ->
            Decoder.decode(
                    Yaml.write(object).getBytes(StandardCharsets.UTF_8), BodyFormat.YAML, type)
                .object());
  }

  private interface Trip {
    ObjectNode go(StructType type, ObjectNode object);
  }

  private void each(Trip trip) {
    List<StructType> kinds =
        Schemas.kubernetes().all().stream()
            .filter(type -> type.field("kind") != null && type.field("metadata") != null)
            .toList();
    TreeMaker maker = new TreeMaker(random);
    for (int round = 0; round < ROUNDS; round++) {
      for (StructType type : kinds) {
        ObjectNode object = maker.object(type, 0);
        assertThat(trip.go(type, object.deepCopy()))
            .as("%s, seed %d", type, FuzzRun.SEED)
            .isEqualTo(object);
      }
    }
  }
}
