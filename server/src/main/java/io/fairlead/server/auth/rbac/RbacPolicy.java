package io.fairlead.server.auth.rbac;

import io.fairlead.server.auth.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// All roles and bindings of one moment, arranged by who is asking. Immutable.
///
/// How it works: each object is compiled once per revision and carried from one policy to the next.
/// What is rebuilt after a change is only the arrangement: no JSON, no rules, a few pointers per
/// binding.
final class RbacPolicy {
  static final List<String> PLURALS =
      List.of("clusterroles", "roles", "clusterrolebindings", "rolebindings");

  /// @param tree the object without its rules, for what aggregation looks at
  private record Role(List<PolicyRule> rules, ObjectNode tree) {}

  private record Compiled<T>(String namespace, String name, String revision, T value) {}

  static final RbacPolicy NOTHING = new RbacPolicy(Map.of(), Map.of(), Map.of());

  private final Map<String, Long> versions;
  private final Map<String, Map<String, Compiled<Role>>> roles;
  private final Map<String, Map<String, Compiled<RbacBinding>>> bindings;
  private final Map<String, List<PolicyRule>> rulesByRole = new HashMap<>();
  private final Map<String, List<RbacBinding>> bindingsBySubject = new HashMap<>();

  private RbacPolicy(
      Map<String, Long> versions,
      Map<String, Map<String, Compiled<Role>>> roles,
      Map<String, Map<String, Compiled<RbacBinding>>> bindings) {
    this.versions = versions;
    this.roles = roles;
    this.bindings = bindings;
    arrangeRoles();
    bindings.values().forEach(all -> all.values().forEach(compiled -> arrange(compiled.value())));
  }

  boolean isNewest(RbacSource source) {
    for (String plural : PLURALS) {
      Long version = versions.get(plural);
      if (version == null || version != source.version(plural)) {
        return false;
      }
    }
    return true;
  }

  /// The policy of now; reads only the resources that changed.
  RbacPolicy refreshed(RbacSource source) {
    Map<String, Long> newVersions = new HashMap<>();
    Map<String, Map<String, Compiled<Role>>> newRoles = new HashMap<>();
    Map<String, Map<String, Compiled<RbacBinding>>> newBindings = new HashMap<>();
    for (String plural : PLURALS) {
      // The version first: what changes while we read is then read once more.
      long version = source.version(plural);
      boolean same = Long.valueOf(version).equals(versions.get(plural));
      newVersions.put(plural, version);
      if (plural.endsWith("roles")) {
        Map<String, Compiled<Role>> old = roles.getOrDefault(plural, Map.of());
        newRoles.put(plural, same ? old : compile(source, plural, old, RbacPolicy::role));
      } else {
        Map<String, Compiled<RbacBinding>> old = bindings.getOrDefault(plural, Map.of());
        newBindings.put(plural, same ? old : compile(source, plural, old, RbacBinding::of));
      }
    }
    return new RbacPolicy(newVersions, newRoles, newBindings);
  }

  /// Calls `action` with every binding of that user that holds in that namespace, and the key by
  /// which the user got it. The namespace is empty for what is asked of the whole cluster.
  void forEachBinding(UserInfo user, String namespace, BiConsumer<RbacBinding, String> action) {
    for (String key : RbacBinding.keys(user)) {
      bindingsBySubject
          .getOrDefault(subjectKey("", key), List.of())
          .forEach(binding -> action.accept(binding, key));
    }
    if (!namespace.isEmpty()) {
      for (String key : RbacBinding.keys(user)) {
        bindingsBySubject
            .getOrDefault(subjectKey(namespace, key), List.of())
            .forEach(binding -> action.accept(binding, key));
      }
    }
  }

  /// The rules of the role that a binding gives, or null when there is no such role.
  @Nullable List<PolicyRule> rulesOf(RbacBinding binding) {
    String namespace = binding.roleKind().equals("Role") ? binding.namespace() : "";
    return rulesByRole.get(roleKey(binding.roleKind(), namespace, binding.roleName()));
  }

  private void arrangeRoles() {
    Map<String, Compiled<Role>> clusterRoles = roles.getOrDefault("clusterroles", Map.of());
    List<ObjectNode> trees = clusterRoles.values().stream().map(one -> one.value().tree()).toList();
    for (Compiled<Role> role : clusterRoles.values()) {
      List<PolicyRule> rules =
          ClusterRoleAggregation.isAggregated(role.value().tree())
              ? aggregated(role, clusterRoles, trees)
              : role.value().rules();
      rulesByRole.put(roleKey("ClusterRole", "", role.name()), rules);
    }
    for (Compiled<Role> role : roles.getOrDefault("roles", Map.of()).values()) {
      rulesByRole.put(roleKey("Role", role.namespace(), role.name()), role.value().rules());
    }
  }

  private static List<PolicyRule> aggregated(
      Compiled<Role> role, Map<String, Compiled<Role>> clusterRoles, List<ObjectNode> trees) {
    Set<PolicyRule> rules = new LinkedHashSet<>(role.value().rules());
    for (String name : ClusterRoleAggregation.closure(role.value().tree(), trees)) {
      Compiled<Role> other = clusterRoles.get("/" + name);
      if (other != null) {
        rules.addAll(other.value().rules());
      }
    }
    return List.copyOf(rules);
  }

  private void arrange(RbacBinding binding) {
    Set<String> keys = new HashSet<>();
    binding.subjects().forEach(subject -> keys.add(subjectKey(binding.namespace(), subject.key())));
    keys.forEach(
        key -> bindingsBySubject.computeIfAbsent(key, any -> new ArrayList<>()).add(binding));
  }

  private static <T> Map<String, Compiled<T>> compile(
      RbacSource source,
      String plural,
      Map<String, Compiled<T>> old,
      Function<ObjectNode, T> compiler) {
    Map<String, Compiled<T>> compiled = new TreeMap<>();
    for (RbacSource.Item item : source.items(plural)) {
      String key = item.namespace() + "/" + item.name();
      Compiled<T> known = old.get(key);
      compiled.put(
          key,
          known != null && known.revision().equals(item.revision())
              ? known
              : new Compiled<>(
                  item.namespace(),
                  item.name(),
                  item.revision(),
                  compiler.apply(item.tree().get())));
    }
    return compiled;
  }

  private static Role role(ObjectNode tree) {
    ObjectNode kept = tree.deepCopy();
    List<PolicyRule> rules = PolicyRule.all(kept.path("rules"));
    kept.remove("rules");
    return new Role(rules, kept);
  }

  private static String roleKey(String kind, String namespace, String name) {
    return kind + "/" + namespace + "/" + name;
  }

  private static String subjectKey(String namespace, String key) {
    return namespace + "/" + key;
  }
}
