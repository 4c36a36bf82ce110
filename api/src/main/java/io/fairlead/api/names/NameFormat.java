package io.fairlead.api.names;

import java.util.List;

/// How the names of a kind must look.
@FunctionalInterface
public interface NameFormat {
  NameFormat DNS1123_SUBDOMAIN =
      (name, prefix) -> Names.dns1123Subdomain(prefix ? Names.maskTrailingDash(name) : name);
  NameFormat DNS1123_LABEL =
      (name, prefix) -> Names.dns1123Label(prefix ? Names.maskTrailingDash(name) : name);
  NameFormat DNS1035_LABEL =
      (name, prefix) -> Names.dns1035Label(prefix ? Names.maskTrailingDash(name) : name);
  NameFormat PATH_SEGMENT = (name, prefix) -> Names.pathSegment(name);

  /// What is wrong with a name; `prefix` when it is a generateName, which may end in a hyphen.
  List<String> problems(String name, boolean prefix);
}
