package io.fairlead.server.resources.kind;

import io.fairlead.api.names.NameFormat;
import java.util.List;

/// What names a kind accepts, which may depend on the version that is shown.
@FunctionalInterface
public interface NameValidator {
  /// `a-b.c`: what most kinds accept.
  NameValidator SUBDOMAIN =
      (name, prefix, _) -> NameFormat.DNS1123_SUBDOMAIN.problems(name, prefix);

  /// `a-b`: at most 63 characters, no dots.
  NameValidator LABEL = (name, prefix, _) -> NameFormat.DNS1123_LABEL.problems(name, prefix);

  /// Anything that can stand between two slashes: names of roles, such as `system:node`.
  NameValidator PATH_SEGMENT = (name, prefix, _) -> NameFormat.PATH_SEGMENT.problems(name, prefix);

  /// Problems of the name, as texts; none when it is fine. `prefix` when it is a generateName.
  List<String> problems(String name, boolean prefix, int emulatedMinor);
}
