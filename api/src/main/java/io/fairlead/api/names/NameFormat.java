package io.fairlead.api.names;

import java.util.List;

/// How the names of a kind must look.
@FunctionalInterface
public interface NameFormat {
  NameFormat DNS1123_SUBDOMAIN =
      (name, prefix) ->
          NameValidation.dns1123Subdomain(prefix ? NameValidation.maskTrailingDash(name) : name);
  NameFormat DNS1123_LABEL =
      (name, prefix) ->
          NameValidation.dns1123Label(prefix ? NameValidation.maskTrailingDash(name) : name);
  NameFormat DNS1035_LABEL =
      (name, prefix) ->
          NameValidation.dns1035Label(prefix ? NameValidation.maskTrailingDash(name) : name);
  NameFormat PATH_SEGMENT = (name, prefix) -> NameValidation.pathSegment(name);

  /// What is wrong with a name; `prefix` when it is a generateName, which may end in a hyphen.
  List<String> problems(String name, boolean prefix);
}
