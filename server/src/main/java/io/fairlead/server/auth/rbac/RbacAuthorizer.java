package io.fairlead.server.auth.rbac;

import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Decides by roles and bindings. Members of `system:masters` may do everything.
///
/// Safe for all threads: a question reads one immutable [RbacPolicy]; the first question after a
/// change of roles or bindings makes the next one while the others wait for it.
public final class RbacAuthorizer implements Authorizer {
  static final String MASTERS = "system:masters";

  private static final List<String> ALL = List.of("*");
  private static final Decision TO_MASTERS = new Decision(true, "");

  private final RbacSource source;
  private final ReentrantLock refreshing = new ReentrantLock();
  private volatile RbacPolicy policy = RbacPolicy.NOTHING;

  public RbacAuthorizer(RbacSource source) {
    this.source = source;
  }

  @Override
  public Decision authorize(Attributes attributes) {
    if (attributes.user().isIn(MASTERS)) {
      return TO_MASTERS;
    }
    Search search = new Search(attributes, policy());
    search.policy.forEachBinding(attributes.user(), namespace(attributes), search::look);
    if (search.reason != null) {
      return new Decision(true, "RBAC: allowed by " + search.reason);
    }
    return new Decision(false, search.missingRoles());
  }

  @Override
  public List<Rule> rules(UserInfo user, String namespace) {
    if (user.isIn(MASTERS)) {
      return List.of(
          new Rule(ALL, ALL, ALL, List.of(), List.of()),
          new Rule(ALL, List.of(), List.of(), List.of(), ALL));
    }
    RbacPolicy now = policy();
    List<Rule> rules = new ArrayList<>();
    now.forEachBinding(
        user,
        namespace,
        (binding, key) -> {
          List<PolicyRule> given = now.rulesOf(binding);
          if (given != null) {
            given.forEach(rule -> rules.add(rule.shown()));
          }
        });
    return rules;
  }

  /// A request for one namespace object counts as made in that namespace.
  private static String namespace(Attributes attributes) {
    boolean isNamespace =
        attributes.resource().equals("namespaces")
            && attributes.group().isEmpty()
            && attributes.namespace().isEmpty();
    return isNamespace ? attributes.name() : attributes.namespace();
  }

  private RbacPolicy policy() {
    RbacPolicy known = policy;
    if (known.isNewest(source)) {
      return known;
    }
    refreshing.lock();
    try {
      if (!policy.isNewest(source)) {
        policy = policy.refreshed(source);
      }
      return policy;
    } finally {
      refreshing.unlock();
    }
  }

  /// Looks for the first binding that allows what is asked.
  private static final class Search {
    private final Attributes asked;
    private final RbacPolicy policy;
    private final SequencedSet<String> missing = new TreeSet<>();
    private @Nullable String reason;

    Search(Attributes asked, RbacPolicy policy) {
      this.asked = asked;
      this.policy = policy;
    }

    void look(RbacBinding binding, String key) {
      if (reason != null) {
        return;
      }
      List<PolicyRule> rules = policy.rulesOf(binding);
      if (rules == null) {
        String kind = binding.roleKind().equals("Role") ? "role" : "clusterrole";
        missing.add(kind + "." + RbacSource.GROUP + " \"" + binding.roleName() + "\" not found");
      } else if (rules.stream().anyMatch(rule -> rule.allows(asked))) {
        reason = binding.reason(key);
      }
    }

    /// Tells a user whose binding names a role that does not exist.
    String missingRoles() {
      return switch (missing.size()) {
        case 0 -> "";
        case 1 -> "RBAC: " + missing.getFirst();
        default -> "RBAC: [" + String.join(", ", missing) + "]";
      };
    }
  }
}
