package io.fairlead.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.work.testing.FuzzRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/// Whatever the bytes, a decoder reads them or throws DecodeException. A failure names its seed.
///
/// An input is a body after the number of its type.
class FuzzTest {
  private static final int OBJECTS = 500;

  private final List<StructType> types = List.copyOf(Schemas.kubernetes().all());
  private final SplittableRandom random = new SplittableRandom(FuzzRun.SEED);
  private final TreeMaker maker = new TreeMaker(new Random(FuzzRun.SEED));

  @ParameterizedTest
  @EnumSource(BodyFormat.class)
  void readsOrRefuses(BodyFormat format) {
    List<byte[]> inputs = Stream.generate(() -> input(format)).limit(OBJECTS).toList();
    FuzzRun.run(input -> decode(input, format), inputs, List.of(DecodeException.class));
  }

  private byte[] input(BodyFormat format) {
    int number = random.nextInt(types.size());
    StructType type = types.get(number);
    byte[] body = bytes(maker.object(type, 3), type, format);
    return ByteBuffer.allocate(2 + body.length).putShort((short) number).put(body).array();
  }

  private void decode(byte[] input, BodyFormat format) {
    int number = input.length < 2 ? 0 : Short.toUnsignedInt(ByteBuffer.wrap(input).getShort());
    byte[] body = Arrays.copyOfRange(input, Math.min(2, input.length), input.length);
    assertThat(Decoder.decode(body, format, types.get(number % types.size())).object()).isNotNull();
  }

  private static byte[] bytes(ObjectNode object, StructType type, BodyFormat format) {
    return switch (format) {
      case JSON -> Json.bytes(object);
      case YAML -> Yaml.write(object).getBytes(StandardCharsets.UTF_8);
      case PROTOBUF -> ProtobufWriter.write(object, type);
    };
  }
}
