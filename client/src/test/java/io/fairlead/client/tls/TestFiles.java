package io.fairlead.client.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/// Keys and certificates of the tests, valid for a hundred years.
public final class TestFiles {
  private TestFiles() {}

  public static byte[] read(String name) {
    try (InputStream in = TestFiles.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
