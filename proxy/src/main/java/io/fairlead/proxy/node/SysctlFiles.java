package io.fairlead.proxy.node;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers of the kernel under `/proc/sys`. Written only where they differ.
///
/// @param root `/proc/sys`, or a directory of a test
public record SysctlFiles(Path root) {
  private static final int LONGEST = 4096;
  private static final Logger log = LoggerFactory.getLogger(SysctlFiles.class);

  /// The value of a name such as `net/ipv4/ip_forward`, or another where it cannot be read.
  public int read(String name, int otherwise) {
    try {
      return Integer.parseInt(text(name));
    } catch (IOException | NumberFormatException _) {
      return otherwise;
    }
  }

  /// The whole value of a name.
  ///
  /// How it works: numbers under `/proc/sys` come with the first read only, however short that is.
  /// `Files.readString` begins with a single byte and would find the first digit.
  ///
  /// @throws IOException when there is no such name
  public String text(String name) throws IOException {
    try (InputStream in = Files.newInputStream(root.resolve(name))) {
      byte[] value = new byte[LONGEST];
      int length = in.read(value);
      return new String(value, 0, Math.max(0, length), StandardCharsets.US_ASCII).strip();
    }
  }

  /// Sets a value. False when the kernel does not let us; what that means is the caller's business.
  public boolean write(String name, int value) {
    if (read(name, value - 1) == value) {
      return true;
    }
    try {
      Files.write(root.resolve(name), String.valueOf(value).getBytes(StandardCharsets.US_ASCII));
      log.atInfo().addKeyValue("name", name).addKeyValue("value", value).log("sysctl set");
      return true;
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("name", name)
          .addKeyValue("value", value)
          .addKeyValue("why", e.getMessage())
          .log("sysctl cannot be set");
      return false;
    }
  }
}
