package io.fairlead.agent.spdy;

import io.fairlead.work.testing.FuzzRun;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Damaged SPDY/3.1.
class SpdyFuzzTest {
  private static byte[] valid() throws IOException {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    try (FrameWriter writer = new FrameWriter(wire)) {
      writer.synStream(1, false, Map.of("streamtype", "data", "port", "80"));
      writer.data(1, false, new byte[100], 0, 100);
      writer.synReply(3, true, Map.of("a", "b"));
      writer.ping(1);
      writer.reset(1, 5);
      writer.goAway(3, 0);
    }
    return wire.toByteArray();
  }

  @Test
  void framesAreReadOrRefused() throws IOException {
    FuzzRun.run(
        bytes -> {
          try (FrameReader reader = new FrameReader(new ByteArrayInputStream(bytes))) {
            while (reader.next() != null) {
              continue;
            }
          }
        },
        List.of(valid()),
        List.of(IOException.class));
  }
}
