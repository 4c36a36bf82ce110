package io.fairlead.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.yaml.Yaml;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Whatever the bytes, a decoder reads them or throws DecodeException. Bounded in time; a failure
/// names its seed.
class FuzzTest {
  private static final long SEED = Long.getLong("fairlead.seed", System.nanoTime());
  private static final Duration TIME = Duration.ofSeconds(2);

  private final Random random = new Random(SEED);
  private final List<StructType> types = List.copyOf(Schemas.kubernetes().all());

  @Test
  void json() {
    fuzz(BodyFormat.JSON);
  }

  @Test
  void yaml() {
    fuzz(BodyFormat.YAML);
  }

  @Test
  void protobuf() {
    fuzz(BodyFormat.PROTOBUF);
  }

  private void fuzz(BodyFormat format) {
    System.out.println("fuzz " + format + " -Dfairlead.seed=" + SEED);
    TreeMaker maker = new TreeMaker(random);
    long end = System.nanoTime() + TIME.toNanos();
    int read = 0;
    int refused = 0;
    while (System.nanoTime() < end) {
      StructType type = types.get(random.nextInt(types.size()));
      byte[] body = bytes(maker.object(type, 3), type, format);
      damage(body);
      try {
        assertThat(Decoder.decode(body, format, type).object()).isNotNull();
        read++;
      } catch (DecodeException e) {
        refused++;
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw new AssertionError(
            format + " seed " + SEED + " body " + java.util.HexFormat.of().formatHex(body), e);
      }
    }
    assertThat(read).as("some bodies survive their damage").isPositive();
    assertThat(refused).as("some do not").isPositive();
  }

  private static byte[] bytes(ObjectNode object, StructType type, BodyFormat format) {
    return switch (format) {
      case JSON -> Json.bytes(object);
      case YAML -> Yaml.write(object).getBytes(StandardCharsets.UTF_8);
      case PROTOBUF -> ProtobufWriter.write(object, type);
    };
  }

  /// Changes a few bytes: at random, or to characters that mean something to the format.
  private void damage(byte[] body) {
    byte[] meaningful = "{}[]:,\"'&*-|>!%@#?\n\t 0\\".getBytes(StandardCharsets.UTF_8);
    for (int count = random.nextInt(4); count > 0 && body.length > 0; count--) {
      int at = random.nextInt(body.length);
      body[at] =
          random.nextBoolean()
              ? meaningful[random.nextInt(meaningful.length)]
              : (byte) random.nextInt(256);
    }
  }
}
