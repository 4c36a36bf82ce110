package io.fairlead.server.resources.kind;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The names of what pods and namespaces can ask for, `cpu` or `example.com/gpu`, and their
/// amounts.
public final class ResourceNameRules {
  private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> OBJECTS =
      Set.of(
          "pods",
          "services",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");
  private static final Set<String> QUOTA =
      Set.of(
          "requests.cpu",
          "requests.memory",
          "requests.storage",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");
  private static final String HUGE_PAGES = "hugepages-";

  private ResourceNameRules() {}

  /// What every kind demands of such a name.
  public static void check(String name, String path, Problems problems) {
    List<String> texts = NameValidation.qualifiedName(name);
    problems.each(path, name, texts);
    if (texts.isEmpty()
        && name.indexOf('/') < 0
        && !isContainer(name)
        && !isQuota(name)
        && !name.equals("storage")) {
      problems.invalid(path, name, "must be a standard resource type or fully qualified");
    }
  }

  /// A name that a container may ask for.
  public static void checkContainer(String name, String path, Problems problems) {
    check(name, path, problems);
    if (name.indexOf('/') < 0) {
      if (!isContainer(name)) {
        problems.invalid(path, name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && name.startsWith("requests.")) {
      problems.invalid(path, name, "doesn't follow extended resource name standard");
    }
  }

  /// A name that a quota may limit.
  public static void checkQuota(String name, String path, Problems problems) {
    check(name, path, problems);
    if (name.indexOf('/') < 0 && !isQuota(name) && !CONTAINER.contains(name)) {
      problems.invalid(path, name, "must be a standard resource for quota");
    }
  }

  /// An amount is not negative, and whole where things are counted.
  public static void checkAmount(String name, JsonNode amount, String path, Problems problems) {
    Quantity quantity = Quantity.parseOrNull(amount.asString(""));
    if (quantity == null) {
      problems.invalid(path, amount, Quantity.PATTERN_PROBLEM);
      return;
    }
    if (quantity.signum() < 0) {
      problems.invalid(path, quantity.toString(), Problems.NOT_NEGATIVE);
    }
    boolean counted = OBJECTS.contains(name) || (name.indexOf('/') >= 0 && !isNative(name));
    if (counted && quantity.milliValue() % 1000 != 0) {
      problems.invalid(path, quantity.toString(), "must be an integer");
    }
  }

  /// Whether a container cannot be given less than its limit of it.
  public static boolean isNotOvercommitted(String name) {
    return name.startsWith(HUGE_PAGES) || (name.indexOf('/') >= 0 && !isNative(name));
  }

  public static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES);
  }

  private static boolean isContainer(String name) {
    return CONTAINER.contains(name) || name.startsWith(HUGE_PAGES);
  }

  /// Whether a quota may limit it without a group in its name.
  public static boolean isStandardQuota(String name) {
    return CONTAINER.contains(name) || isQuota(name);
  }

  private static boolean isQuota(String name) {
    return QUOTA.contains(name)
        || OBJECTS.contains(name)
        || name.startsWith(HUGE_PAGES)
        || name.startsWith("requests." + HUGE_PAGES);
  }

  private static boolean isNative(String name) {
    return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
  }
}
