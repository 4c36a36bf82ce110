package io.fairlead.server.auth.rbac;

import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.Authorizer.Attributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// One rule of a role, ready to be asked.
///
/// @param names to which objects it is limited; empty for all
/// @param paths URLs that are no resources, such as `/healthz` or `/metrics*`
record PolicyRule(
    Set<String> verbs,
    Set<String> groups,
    Set<String> resources,
    Set<String> names,
    List<String> paths) {
  private static final String ALL = "*";

  static List<PolicyRule> all(JsonNode rules) {
    List<PolicyRule> list = new ArrayList<>();
    rules.forEach(rule -> list.add(of(rule)));
    return List.copyOf(list);
  }

  private static PolicyRule of(JsonNode rule) {
    return new PolicyRule(
        strings(rule.path("verbs")),
        strings(rule.path("apiGroups")),
        strings(rule.path("resources")),
        strings(rule.path("resourceNames")),
        List.copyOf(strings(rule.path("nonResourceURLs"))));
  }

  static PolicyRule of(Authorizer.Rule rule) {
    return new PolicyRule(
        new LinkedHashSet<>(rule.verbs()),
        new LinkedHashSet<>(rule.groups()),
        new LinkedHashSet<>(rule.resources()),
        new LinkedHashSet<>(rule.names()),
        rule.paths());
  }

  Authorizer.Rule shown() {
    return new Authorizer.Rule(
        List.copyOf(verbs), List.copyOf(groups), List.copyOf(resources), List.copyOf(names), paths);
  }

  boolean allows(Attributes asked) {
    if (!hasOrAll(verbs, asked.verb())) {
      return false;
    }
    return asked.resource().isEmpty()
        ? allowsPath(asked.path())
        : hasOrAll(groups, asked.group())
            && allowsResource(asked.resource(), asked.subresource())
            && allowsName(asked.verb(), asked.name());
  }

  private boolean allowsResource(String resource, String subresource) {
    if (resources.contains(ALL)) {
      return true;
    }
    return subresource.isEmpty()
        ? resources.contains(resource)
        : resources.contains(resource + "/" + subresource)
            || resources.contains("*/" + subresource);
  }

  /// What has no name yet (create) or no single one (deletecollection) cannot be limited by name.
  private boolean allowsName(String verb, String name) {
    return names.isEmpty()
        || (!name.isEmpty() && !verb.equals("deletecollection") && names.contains(name));
  }

  private boolean allowsPath(String asked) {
    return paths.stream().anyMatch(path -> pathCovers(path, asked));
  }

  /// Whether everything a one-of-each rule (one verb, one group, one resource, at most one name, or
  /// one verb and one path) allows is allowed by this one too.
  boolean covers(PolicyRule single) {
    if (!hasOrAll(verbs, single.verbs().iterator().next())) {
      return false;
    }
    if (!single.paths().isEmpty()) {
      String wanted = single.paths().getFirst();
      return paths.stream().anyMatch(path -> pathCovers(path, wanted));
    }
    return hasOrAll(groups, single.groups().iterator().next())
        && coversResource(single.resources().iterator().next())
        && (names.isEmpty() || (!single.names().isEmpty() && names.containsAll(single.names())));
  }

  private boolean coversResource(String wanted) {
    int slash = wanted.indexOf('/');
    return resources.contains(ALL)
        || resources.contains(wanted)
        || (slash >= 0 && resources.contains("*" + wanted.substring(slash)));
  }

  /// The one-of-each rules this one stands for.
  Stream<PolicyRule> singles() {
    Stream<PolicyRule> ofPaths =
        paths.stream()
            .flatMap(
                path ->
                    verbs.stream()
                        .map(
                            verb ->
                                new PolicyRule(
                                    Set.of(verb), Set.of(), Set.of(), Set.of(), List.of(path))));
    Stream<PolicyRule> ofResources =
        groups.stream()
            .flatMap(
                group ->
                    resources.stream()
                        .flatMap(
                            resource ->
                                verbs.stream()
                                    .flatMap(verb -> singlesByName(verb, group, resource))));
    return Stream.concat(ofResources, ofPaths);
  }

  private Stream<PolicyRule> singlesByName(String verb, String group, String resource) {
    Stream<Set<String>> each = names.isEmpty() ? Stream.of(Set.of()) : names.stream().map(Set::of);
    return each.map(
        name -> new PolicyRule(Set.of(verb), Set.of(group), Set.of(resource), name, List.of()));
  }

  private static boolean pathCovers(String path, String asked) {
    return path.equals(ALL)
        || path.equals(asked)
        || (path.endsWith(ALL) && asked.startsWith(path.substring(0, path.length() - 1)));
  }

  private static boolean hasOrAll(Set<String> set, String value) {
    return set.contains(ALL) || set.contains(value);
  }

  private static Set<String> strings(JsonNode list) {
    Set<String> values = new LinkedHashSet<>();
    list.forEach(item -> values.add(item.asString("")));
    return values;
  }
}
