package io.fairlead.server.resources.service;

import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// Checks the fields around cluster addresses: they must fit each other.
final class ClusterIpValidation {
  private static final List<String> FAMILIES = List.of("IPv4", "IPv6");
  private static final List<String> POLICIES =
      List.of("PreferDualStack", "RequireDualStack", "SingleStack");
  private static final String IPS = "spec.clusterIPs";
  private static final String NOT_EXTERNAL = "may not be set for ExternalName services";
  private static final String STAYS = "may not change once set";

  private ClusterIpValidation() {}

  static void check(JsonNode spec, Problems problems) {
    if (ServiceSpec.isExternalName(spec)) {
      checkExternalName(spec, problems);
      return;
    }
    JsonNode addresses = spec.path("clusterIPs");
    String first = spec.path("clusterIP").asString("");
    if (first.isEmpty() && !addresses.isEmpty() && !isBlank(addresses)) {
      problems.invalid(IPS, addresses, "must be empty when `clusterIP` is not specified");
    } else if (!addresses.isEmpty() && !addresses.path(0).asString("").equals(first)) {
      problems.invalid(IPS, addresses, "first value must match `clusterIP`");
    }
    checkFamilies(spec, problems);
    checkAddresses(addresses, first, ServiceSpec.ipFamilies(spec), problems);
  }

  /// A Service keeps the addresses it has; only the second may come and go.
  static void checkUpdate(JsonNode now, JsonNode before, Problems problems) {
    boolean external = ServiceSpec.isExternalName(now) || ServiceSpec.isExternalName(before);
    boolean headless = ServiceSpec.isHeadless(now) && ServiceSpec.isHeadless(before);
    boolean unknown = !ServiceValidation.TYPES.contains(now.path("type").asString(""));
    if (external || headless || unknown) {
      return;
    }
    compare(now, before, "clusterIPs", "clusterIP", problems);
    compare(now, before, "ipFamilies", "ipFamily", problems);
  }

  private static void checkExternalName(JsonNode spec, Problems problems) {
    if (!spec.path("clusterIPs").isEmpty() || !spec.path("clusterIP").asString("").isEmpty()) {
      problems.forbidden(IPS, NOT_EXTERNAL);
    }
    if (!spec.path("ipFamilies").isEmpty()) {
      problems.forbidden("spec.ipFamilies", NOT_EXTERNAL);
    }
    if (spec.has("ipFamilyPolicy")) {
      problems.forbidden("spec.ipFamilyPolicy", NOT_EXTERNAL);
    }
  }

  private static boolean isBlank(JsonNode addresses) {
    return addresses.size() == 1 && addresses.path(0).asString("").isEmpty();
  }

  private static void checkFamilies(JsonNode spec, Problems problems) {
    Set<String> seen = Problems.seen();
    int index = 0;
    for (JsonNode family : spec.path("ipFamilies")) {
      String path = "spec.ipFamilies[" + index + "]";
      problems.oneOf(path, family, FAMILIES);
      problems.unique(path, family.asString(""), seen);
      index++;
    }
    if (spec.has("ipFamilyPolicy")) {
      problems.oneOf("spec.ipFamilyPolicy", spec.path("ipFamilyPolicy"), POLICIES);
    }
  }

  /// @param first `clusterIP`; where there is none, blank addresses are yet to be given
  private static void checkAddresses(
      JsonNode addresses, String first, List<String> families, Problems problems) {
    boolean readable = true;
    Set<IpAddress.Family> used = new TreeSet<>();
    int index = 0;
    for (JsonNode address : addresses) {
      String text = address.asString("");
      if (index == 0 && text.equals(ServiceSpec.NONE)) {
        if (addresses.size() > 1) {
          problems.invalid(IPS, addresses, "'None' must be the first and only value");
          readable = false;
        }
      } else if (!text.isEmpty() || !first.isEmpty()) {
        List<String> texts = AddressRules.addressProblems(text);
        problems.each(IPS + "[" + index + "]", text, texts);
        IpAddress parsed = IpAddress.parseOrNull(text);
        readable &= texts.isEmpty();
        if (parsed != null) {
          used.add(parsed.family());
        }
      }
      index++;
    }
    if (addresses.size() > 2) {
      problems.invalid(IPS, addresses, "may only hold up to 2 values");
    }
    if (!readable) {
      return;
    }
    if (addresses.size() > 1 && used.size() < addresses.size()) {
      problems.invalid(IPS, addresses, "may specify no more than one IP for each IP family");
    }
    matchFamilies(addresses, families, problems);
  }

  private static void matchFamilies(JsonNode addresses, List<String> families, Problems problems) {
    for (int index = 0; index < Math.min(addresses.size(), families.size()); index++) {
      String text = addresses.path(index).asString("");
      IpAddress address = IpAddress.parseOrNull(text);
      String family = families.get(index);
      if (address != null
          && FAMILIES.contains(family)
          && !family.equals(address.isIpv4() ? "IPv4" : "IPv6")) {
        problems.invalid(
            IPS + "[" + index + "]",
            text,
            "expected an " + family + " value as indicated by `ipFamilies[" + index + "]`");
      }
    }
  }

  private static void compare(
      JsonNode now, JsonNode before, String field, String word, Problems problems) {
    JsonNode is = now.path(field);
    JsonNode was = before.path(field);
    String path = "spec." + field;
    if (was.isEmpty()) {
      return;
    }
    if (is.isEmpty()) {
      problems.invalid(path + "[0]", is, "primary " + word + " can not be unset");
      return;
    }
    if (!is.path(0).equals(was.path(0))) {
      problems.invalid(path + "[0]", is, STAYS);
    }
    if (is.size() == was.size() && was.size() > 1 && !is.path(1).equals(was.path(1))) {
      problems.invalid(path + "[1]", is, STAYS);
    }
    JsonNode policy = now.path("ipFamilyPolicy");
    if (is.size() < was.size() && !policy.asString("").equals("SingleStack")) {
      problems.invalid(
          "spec.ipFamilyPolicy",
          policy,
          "must be set to 'SingleStack' when releasing the secondary " + word);
    }
  }
}
