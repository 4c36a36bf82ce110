package io.fairlead.server.resources.pod;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.schema.GoForm;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Checks a pod spec, of a pod or of a template. The spec has its defaults.
public final class PodSpecValidation {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
  private static final int MAX_NAMESERVERS = 3;
  private static final int MAX_SEARCHES = 32;

  private PodSpecValidation() {}

  /// Checks the template of a workload at `path`, `spec.template`.
  public static void checkTemplate(JsonNode template, String path, Problems problems) {
    checkTemplateMetadata(template, path, problems);
    check(template.path("spec"), path + ".spec", problems);
    if (!template.path("spec").path("ephemeralContainers").isEmpty()) {
      problems.forbidden(
          path + ".spec.ephemeralContainers", "ephemeral containers not allowed in pod template");
    }
  }

  /// Checks labels and annotations of a template. Their paths leave `metadata` out.
  public static void checkTemplateMetadata(JsonNode template, String path, Problems problems) {
    JsonNode metadata = template.path("metadata");
    problems.addAll(MetadataRules.labels(metadata.path("labels"), path + ".labels"));
    problems.addAll(MetadataRules.annotations(metadata.path("annotations"), path + ".annotations"));
  }

  static void check(JsonNode spec, String path, Problems problems) {
    Set<String> volumes = VolumeValidation.check(spec.path("volumes"), path + ".volumes", problems);
    checkClaims(spec.path("resourceClaims"), path + ".resourceClaims", problems);
    ContainerValidation containers = new ContainerValidation(volumes, problems);
    containers.checkMain(spec.path("containers"), path + ".containers");
    containers.checkInit(spec.path("initContainers"), path + ".initContainers");
    containers.checkEphemeral(spec.path("ephemeralContainers"), path + ".ephemeralContainers");
    problems.requiredOneOf(path + ".restartPolicy", spec.path("restartPolicy"), RESTART_POLICIES);
    problems.requiredOneOf(path + ".dnsPolicy", spec.path("dnsPolicy"), DNS_POLICIES);
    problems.addAll(MetadataRules.labels(spec.path("nodeSelector"), path + ".nodeSelector"));
    PodSecurityValidation.checkPod(
        spec.path("securityContext"), path + ".securityContext", problems);
    PodSchedulingValidation scheduling = new PodSchedulingValidation(problems);
    scheduling.affinity(spec.path("affinity"), path + ".affinity");
    checkDns(spec, path + ".dnsConfig", problems);
    scheduling.gates(spec, path);
    scheduling.spreading(
        spec.path("topologySpreadConstraints"), path + ".topologySpreadConstraints");
    checkNames(spec, path, problems);
    JsonNode deadline = spec.path("activeDeadlineSeconds");
    if (deadline.isNumber() && (deadline.asLong(0) < 1 || deadline.asLong(0) > Integer.MAX_VALUE)) {
      problems.invalid(
          path + ".activeDeadlineSeconds", deadline, NameValidation.between(1, Integer.MAX_VALUE));
    }
    TolerationValidation.check(spec.path("tolerations"), path + ".tolerations", problems);
    checkHostAliases(spec.path("hostAliases"), path + ".hostAliases", problems);
    for (String field : List.of("priorityClassName", "runtimeClassName")) {
      String name = spec.path(field).asString("");
      if (!name.isEmpty()) {
        problems.each(path + "." + field, name, NameValidation.dns1123Subdomain(name));
      }
    }
    if (spec.has("preemptionPolicy")) {
      problems.requiredOneOf(
          path + ".preemptionPolicy",
          spec.path("preemptionPolicy"),
          List.of("PreemptLowerPriority", "Never"));
    }
    checkSystem(spec.path("os"), path + ".os", problems);
  }

  private static void checkSystem(JsonNode system, String path, Problems problems) {
    if (system.isObject()) {
      if (system.path("name").asString("").isEmpty()) {
        problems.required(path + ".name");
      } else {
        problems.oneOf(path, system.path("name"), List.of("linux", "windows"));
      }
    }
  }

  /// Devices that the pod claims, by a claim that is there or by one made for it.
  private static void checkClaims(JsonNode claims, String path, Problems problems) {
    Set<String> names = Problems.seen();
    int index = 0;
    for (JsonNode claim : claims) {
      String at = path + "[" + index++ + "]";
      String name = claim.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      } else if (names.contains(name)) {
        problems.duplicate(at + ".name", name);
      } else {
        problems.each(at + ".name", name, NameValidation.dns1123Label(name));
        names.add(name);
      }
      boolean named = claim.has("resourceClaimName");
      boolean made = claim.has("resourceClaimTemplateName");
      if (named == made) {
        problems.invalid(
            at,
            GoForm.internal(claim, "io.k8s.api.core.v1.PodResourceClaim"),
            named
                ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be"
                    + " specified"
                : "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
      }
      for (String field : List.of("resourceClaimName", "resourceClaimTemplateName")) {
        if (claim.has(field)) {
          String other = claim.path(field).asString("");
          problems.each(at + "." + field, other, NameValidation.dns1123Subdomain(other));
        }
      }
    }
  }

  private static void checkDns(JsonNode spec, String path, Problems problems) {
    JsonNode servers = spec.path("dnsConfig").path("nameservers");
    if (spec.path("dnsPolicy").asString("").equals("None") && servers.isEmpty()) {
      problems.required(
          path + ".nameservers",
          "must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
    if (servers.size() > MAX_NAMESERVERS) {
      problems.invalid(
          path + ".nameservers",
          servers,
          "must not have more than " + MAX_NAMESERVERS + " nameservers");
    }
    int index = 0;
    for (JsonNode server : servers) {
      String address = server.asString("");
      problems.each(
          path + ".nameservers[" + index + "]", address, AddressRules.addressProblems(address));
      index++;
    }
    checkSearches(spec.path("dnsConfig").path("searches"), path + ".searches", problems);
    index = 0;
    for (JsonNode option : spec.path("dnsConfig").path("options")) {
      if (option.path("name").asString("").isEmpty()) {
        problems.required(path + ".options[" + index + "]", "must not be empty");
      }
      index++;
    }
  }

  private static void checkSearches(JsonNode searches, String path, Problems problems) {
    if (searches.size() > MAX_SEARCHES) {
      problems.invalid(path, searches, "must not have more than " + MAX_SEARCHES + " search paths");
    }
    int index = 0;
    for (JsonNode search : searches) {
      String name = search.asString("");
      if (!name.equals(".")) {
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        problems.each(
            path + "[" + index + "]", plain, NameValidation.subdomainWithUnderscores(plain));
      }
      index++;
    }
  }

  private static void checkNames(JsonNode spec, String path, Problems problems) {
    for (String field : List.of("serviceAccountName", "nodeName")) {
      String name = spec.path(field).asString("");
      if (!name.isEmpty()) {
        problems.each(path + "." + field, name, NameValidation.dns1123Subdomain(name));
      }
    }
    for (String field : List.of("hostname", "subdomain")) {
      String name = spec.path(field).asString("");
      if (!name.isEmpty()) {
        problems.each(path + "." + field, name, NameValidation.dns1123Label(name));
      }
    }
  }

  private static void checkHostAliases(JsonNode aliases, String path, Problems problems) {
    int index = 0;
    for (JsonNode alias : aliases) {
      String at = path + "[" + index + "]";
      String address = alias.path("ip").asString("");
      problems.each(at + ".ip", address, AddressRules.addressProblems(address));
      int name = 0;
      for (JsonNode hostname : alias.path("hostnames")) {
        problems.each(
            at + ".hostnames[" + name + "]",
            hostname.asString(""),
            NameValidation.dns1123Subdomain(hostname.asString("")));
        name++;
      }
      index++;
    }
  }
}
