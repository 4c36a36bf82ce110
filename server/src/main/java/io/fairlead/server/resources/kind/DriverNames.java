package io.fairlead.server.resources.kind;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The rule for names of storage drivers, which may be written in capitals.
public final class DriverNames {
  private static final int MOST_BYTES = 63;

  private DriverNames() {}

  public static void check(String name, String path, Problems problems) {
    if (name.isEmpty()) {
      problems.required(path);
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      problems.add(FieldError.tooLong(path, MOST_BYTES));
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (!lower.isEmpty()) {
      problems.each(path, name, NameValidation.dns1123Subdomain(lower));
    }
  }
}
