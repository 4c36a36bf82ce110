package io.fairlead.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Which Fairlead this is; the build writes it into a resource.
public final class FairleadVersion {
  /// The Kubernetes minor version whose behaviour is shown unless a flag says otherwise.
  public static final String KUBERNETES = "1.36";

  private FairleadVersion() {}

  public static String current() {
    Properties properties = new Properties();
    try (InputStream in = FairleadVersion.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is not on the class path");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
