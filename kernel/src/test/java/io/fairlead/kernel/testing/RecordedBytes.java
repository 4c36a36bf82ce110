package io.fairlead.kernel.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Bytes recorded from the tools of the system; see `golden/README.md` in the test resources.
public final class RecordedBytes {
  private RecordedBytes() {}

  public static byte[] bytes(String name) {
    try (InputStream stream = RecordedBytes.class.getResourceAsStream("/golden/" + name + ".hex")) {
      if (stream == null) {
        throw new IllegalArgumentException("no recording " + name);
      }
      String text = new String(stream.readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replace("\n", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String hex(byte[] bytes) {
    return HexFormat.of().withUpperCase().formatHex(bytes);
  }
}
