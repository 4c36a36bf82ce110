package io.fairlead.proxy.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Numbers of the kernel under `/proc/sys`. Written only where they differ.
///
/// @param root `/proc/sys`, or a directory of a test
public record Sysctls(Path root) {
  private static final Logger log = LoggerFactory.getLogger(Sysctls.class);

  /// The value of a name such as `net/ipv4/ip_forward`, or another where it cannot be read.
  public int read(String name, int otherwise) {
    try {
      return Integer.parseInt(Files.readString(root.resolve(name)).strip());
    } catch (IOException | NumberFormatException _) {
      return otherwise;
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
