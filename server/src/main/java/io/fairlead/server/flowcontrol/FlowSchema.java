package io.fairlead.server.flowcontrol;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.request.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Which requests belong together, and at which priority level they are served: a FlowSchema, read
/// once. Of several that match a request the one with the lowest precedence decides, and of those
/// the first by name.
///
/// @param level the name of the priority level
/// @param distinguisher what tells the flows of this schema apart
record FlowSchema(
    String name,
    String uid,
    long precedence,
    String level,
    Distinguisher distinguisher,
    List<Rule> rules) {
  private static final String ALL = "*";

  /// What tells two flows of one schema apart.
  enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE
  }

  /// A request matches when one subject and one of the rules for its sort do.
  record Rule(List<Subject> subjects, List<ResourceRule> resources, List<PathRule> paths) {
    Rule {
      subjects = List.copyOf(subjects);
      resources = List.copyOf(resources);
      paths = List.copyOf(paths);
    }

    boolean matches(RequestInfo info, UserInfo user) {
      for (Subject subject : subjects) {
        if (subject.matches(user)) {
          return matches(info);
        }
      }
      return false;
    }

    private boolean matches(RequestInfo info) {
      if (info.isResource()) {
        for (ResourceRule rule : resources) {
          if (rule.matches(info)) {
            return true;
          }
        }
        return false;
      }
      for (PathRule rule : paths) {
        if (rule.matches(info)) {
          return true;
        }
      }
      return false;
    }
  }

  /// Who sends the request. `*` is everybody.
  sealed interface Subject {
    boolean matches(UserInfo user);
  }

  private record NamedUser(String name) implements Subject {
    @Override
    public boolean matches(UserInfo user) {
      return name.equals(ALL) || name.equals(user.name());
    }
  }

  private record MemberOf(String group) implements Subject {
    @Override
    public boolean matches(UserInfo user) {
      return group.equals(ALL) || user.isIn(group);
    }
  }

  /// @param account how service accounts of the namespace are called as users; all of it, or what
  ///   their names begin with
  private record Account(String account, boolean all) implements Subject {
    @Override
    public boolean matches(UserInfo user) {
      return all ? user.name().startsWith(account) : user.name().equals(account);
    }
  }

  /// Requests for resources.
  record ResourceRule(
      List<String> verbs,
      List<String> groups,
      List<String> resources,
      List<String> namespaces,
      boolean clusterScope) {
    boolean matches(RequestInfo info) {
      return has(verbs, info.verb())
          && has(groups, info.group())
          && hasResource(info)
          && inNamespace(info);
    }

    private boolean hasResource(RequestInfo info) {
      if (info.subresource().isEmpty()) {
        return has(resources, info.resource());
      }
      return isAll(resources) || resources.contains(info.resource() + "/" + info.subresource());
    }

    private boolean inNamespace(RequestInfo info) {
      String namespace = FlowSchema.namespace(info);
      return namespace.isEmpty() ? clusterScope : has(namespaces, namespace);
    }
  }

  /// Requests for other paths; one that ends in `*` stands for all below it.
  record PathRule(List<String> verbs, List<String> paths) {
    boolean matches(RequestInfo info) {
      return has(verbs, info.verb()) && paths.stream().anyMatch(path -> covers(path, info.path()));
    }

    private static boolean covers(String path, String asked) {
      if (path.equals(ALL) || path.equals(asked)) {
        return true;
      }
      String prefix = path.endsWith(ALL) ? path.substring(0, path.length() - 1) : path;
      return asked.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
    }
  }

  FlowSchema {
    rules = List.copyOf(rules);
  }

  /// Reads a FlowSchema of the API.
  static FlowSchema of(JsonNode object) {
    JsonNode spec = object.path("spec");
    List<Rule> rules = new ArrayList<>();
    for (JsonNode rule : spec.path("rules")) {
      rules.add(rule(rule));
    }
    return new FlowSchema(
        Json.textOr(object, "", "metadata", "name"),
        Json.textOr(object, "", "metadata", "uid"),
        spec.path("matchingPrecedence").asLong(0),
        Json.textOr(spec, "", "priorityLevelConfiguration", "name"),
        switch (Json.textOr(spec, "", "distinguisherMethod", "type")) {
          case "ByUser" -> Distinguisher.BY_USER;
          case "ByNamespace" -> Distinguisher.BY_NAMESPACE;
          default -> Distinguisher.NONE;
        },
        rules);
  }

  private static Rule rule(JsonNode rule) {
    List<Subject> subjects = new ArrayList<>();
    for (JsonNode subject : rule.path("subjects")) {
      subjects.add(subject(subject));
    }
    List<ResourceRule> resources = new ArrayList<>();
    for (JsonNode one : rule.path("resourceRules")) {
      resources.add(
          new ResourceRule(
              texts(one.path("verbs")),
              texts(one.path("apiGroups")),
              texts(one.path("resources")),
              texts(one.path("namespaces")),
              one.path("clusterScope").asBoolean(false)));
    }
    List<PathRule> paths = new ArrayList<>();
    for (JsonNode one : rule.path("nonResourceRules")) {
      paths.add(new PathRule(texts(one.path("verbs")), texts(one.path("nonResourceURLs"))));
    }
    return new Rule(subjects, resources, paths);
  }

  private static Subject subject(JsonNode subject) {
    return switch (subject.path("kind").asString("")) {
      case "User" -> new NamedUser(Json.textOr(subject, "", "user", "name"));
      case "Group" -> new MemberOf(Json.textOr(subject, "", "group", "name"));
      default -> {
        String name = Json.textOr(subject, "", "serviceAccount", "name");
        String namespace = Json.textOr(subject, "", "serviceAccount", "namespace");
        boolean all = name.equals(ALL);
        yield new Account(UserInfo.serviceAccount(namespace, all ? "" : name).name(), all);
      }
    };
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(text -> text.asString("")).toList();
  }

  private static boolean has(List<String> list, String value) {
    return isAll(list) || list.contains(value);
  }

  private static boolean isAll(List<String> list) {
    return list.size() == 1 && list.getFirst().equals(ALL);
  }

  /// The namespace a request is about; a namespace itself lies in its own.
  private static String namespace(RequestInfo info) {
    return info.resource().equals("namespaces") && info.group().isEmpty()
        ? info.name()
        : info.namespace();
  }

  boolean matches(RequestInfo info, UserInfo user) {
    for (Rule rule : rules) {
      if (rule.matches(info, user)) {
        return true;
      }
    }
    return false;
  }

  /// What tells the request's flow from others of this schema.
  String flow(RequestInfo info, UserInfo user) {
    return switch (distinguisher) {
      case NONE -> "";
      case BY_USER -> user.name();
      case BY_NAMESPACE -> namespace(info);
    };
  }
}
