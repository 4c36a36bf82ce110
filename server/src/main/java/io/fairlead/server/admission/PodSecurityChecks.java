package io.fairlead.server.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// The Pod Security Standards, check by check, in the order of their names. Pure.
final class PodSecurityChecks {
  private static final Set<String> DEFAULT_CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");
  private static final Set<String> SAFE_SYSCTLS =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ping_group_range",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.tcp_wmem");
  private static final Set<String> SAFE_VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");
  private static final Set<String> SELINUX_TYPES =
      Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

  private final JsonNode spec;
  private final JsonNode podContext;
  private final List<JsonNode> containers = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  private PodSecurityChecks(JsonNode spec) {
    this.spec = spec;
    this.podContext = spec.path("securityContext");
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      spec.path(list).forEach(containers::add);
    }
  }

  /// What speaks against the pod; empty when it is fine.
  static List<String> faults(JsonNode spec, JsonNode annotations, boolean restricted) {
    PodSecurityChecks checks = new PodSecurityChecks(spec);
    if (restricted) {
      checks.privilegeEscalation();
    }
    checks.appArmor(annotations);
    checks.capabilities(restricted);
    checks.hostNamespaces();
    checks.hostPaths();
    checks.hostPorts();
    checks.privileged();
    checks.procMount();
    if (restricted) {
      checks.volumeTypes();
      checks.runAsNonRoot();
      checks.runAsUser();
    }
    checks.seLinux();
    checks.seccomp(restricted);
    checks.sysctls();
    checks.hostProcess();
    return checks.faults;
  }

  private static JsonNode context(JsonNode container) {
    return container.path("securityContext");
  }

  /// The names of containers that fit, as the texts put them: `container "a"`, `containers "a",
  /// "b"`; empty when there are none.
  private String named(Predicate<JsonNode> which) {
    List<String> names =
        containers.stream()
            .filter(which)
            .map(one -> '"' + one.path("name").asString("") + '"')
            .toList();
    return names.isEmpty()
        ? ""
        : (names.size() == 1 ? "container " : "containers ") + String.join(", ", names);
  }

  private void add(String title, String who, String what) {
    if (!who.isEmpty()) {
      faults.add(title + " (" + who + " " + what + ")");
    }
  }

  private void privilegeEscalation() {
    add(
        "allowPrivilegeEscalation != false",
        named(one -> context(one).path("allowPrivilegeEscalation").asBoolean(true)),
        "must set securityContext.allowPrivilegeEscalation=false");
  }

  private void appArmor(JsonNode annotations) {
    boolean pod = isUnconfined(podContext.path("appArmorProfile"));
    boolean annotated = false;
    for (Map.Entry<String, JsonNode> one : annotations.properties()) {
      annotated |=
          one.getKey().startsWith("container.apparmor.security.beta.kubernetes.io/")
              && one.getValue().asString("").equals("unconfined");
    }
    if (annotated) {
      faults.add("forbidden AppArmor profile (unconfined)");
    }
    add(
        "forbidden AppArmor profile",
        pod ? "pod" : named(one -> isUnconfined(context(one).path("appArmorProfile"))),
        "must not set AppArmor profile type to \"Unconfined\"");
  }

  private static boolean isUnconfined(JsonNode profile) {
    return profile.path("type").asString("").equals("Unconfined");
  }

  private void capabilities(boolean restricted) {
    if (!restricted) {
      added("non-default capabilities", DEFAULT_CAPABILITIES, "");
      return;
    }
    String undropped =
        named(
            one -> {
              boolean all = false;
              for (JsonNode dropped : context(one).path("capabilities").path("drop")) {
                all |= dropped.asString("").equals("ALL");
              }
              return !all;
            });
    added(
        "unrestricted capabilities",
        Set.of("NET_BIND_SERVICE"),
        undropped.isEmpty()
            ? ""
            : undropped + " must set securityContext.capabilities.drop=[\"ALL\"]");
  }

  /// Capabilities that must not be added, after another fault that stands in the same parentheses.
  private void added(String title, Set<String> allowed, String before) {
    Set<String> found = new TreeSet<>();
    String who =
        named(
            one -> {
              boolean bad = false;
              for (JsonNode more : context(one).path("capabilities").path("add")) {
                if (!allowed.contains(more.asString(""))) {
                  found.add('"' + more.asString("") + '"');
                  bad = true;
                }
              }
              return bad;
            });
    String text =
        who.isEmpty()
            ? ""
            : who
                + " must not include "
                + String.join(", ", found)
                + " in securityContext.capabilities.add";
    if (!before.isEmpty() || !text.isEmpty()) {
      faults.add(
          title + " (" + before + (before.isEmpty() || text.isEmpty() ? "" : "; ") + text + ")");
    }
  }

  private void hostNamespaces() {
    List<String> used = new ArrayList<>();
    for (String one : List.of("hostNetwork", "hostPID", "hostIPC")) {
      if (spec.path(one).asBoolean(false)) {
        used.add(one + "=true");
      }
    }
    if (!used.isEmpty()) {
      faults.add("host namespaces (" + String.join(", ", used) + ")");
    }
  }

  private void hostPaths() {
    List<String> names = new ArrayList<>();
    for (JsonNode volume : spec.path("volumes")) {
      if (volume.has("hostPath")) {
        names.add('"' + volume.path("name").asString("") + '"');
      }
    }
    if (!names.isEmpty()) {
      faults.add(
          "hostPath volumes ("
              + (names.size() == 1 ? "volume " : "volumes ")
              + String.join(", ", names)
              + ")");
    }
  }

  private void hostPorts() {
    Set<Integer> ports = new TreeSet<>();
    String who =
        named(
            one -> {
              boolean bad = false;
              for (JsonNode port : one.path("ports")) {
                int number = port.path("hostPort").asInt(0);
                if (number != 0) {
                  ports.add(number);
                  bad = true;
                }
              }
              return bad;
            });
    add(
        "hostPort",
        who,
        (who.startsWith("containers") ? "use hostPort" : "uses hostPort")
            + (ports.size() > 1 ? "s " : " ")
            + String.join(", ", ports.stream().map(port -> Integer.toString(port)).toList()));
  }

  private void privileged() {
    add(
        "privileged",
        named(one -> context(one).path("privileged").asBoolean(false)),
        "must not set securityContext.privileged=true");
  }

  private void procMount() {
    add(
        "procMount",
        named(one -> !context(one).path("procMount").asString("Default").equals("Default")),
        "must not set securityContext.procMount to \"Unmasked\"");
  }

  private void volumeTypes() {
    Set<String> types = new TreeSet<>();
    List<String> names = new ArrayList<>();
    for (JsonNode volume : spec.path("volumes")) {
      for (String key : volume.propertyNames()) {
        if (!key.equals("name") && !SAFE_VOLUMES.contains(key)) {
          types.add('"' + key + '"');
          names.add('"' + volume.path("name").asString("") + '"');
        }
      }
    }
    if (!names.isEmpty()) {
      boolean one = names.size() == 1;
      faults.add(
          "restricted volume types ("
              + (one ? "volume " : "volumes ")
              + String.join(", ", names)
              + (one ? " uses" : " use")
              + " restricted volume type"
              + (types.size() == 1 ? " " : "s ")
              + String.join(", ", types)
              + ")");
    }
  }

  private void runAsNonRoot() {
    JsonNode pod = podContext.path("runAsNonRoot");
    String explicit =
        named(
            one ->
                context(one).path("runAsNonRoot").isBoolean()
                    && !context(one).path("runAsNonRoot").asBoolean(false));
    boolean podExplicit = pod.isBoolean() && !pod.asBoolean(false);
    if (!explicit.isEmpty()) {
      add("runAsNonRoot != true", explicit, "must not set securityContext.runAsNonRoot=false");
      return;
    }
    if (podExplicit && !named(one -> !context(one).has("runAsNonRoot")).isEmpty()) {
      add("runAsNonRoot != true", "pod", "must not set securityContext.runAsNonRoot=false");
      return;
    }
    if (!pod.asBoolean(false)) {
      String who = named(one -> !context(one).has("runAsNonRoot"));
      add(
          "runAsNonRoot != true",
          who.isEmpty() ? "" : "pod or " + who,
          "must set securityContext.runAsNonRoot=true");
    }
  }

  private void runAsUser() {
    String who = named(one -> isZero(context(one).path("runAsUser")));
    boolean pod = isZero(podContext.path("runAsUser"));
    String all = pod ? (who.isEmpty() ? "pod" : "pod and " + who) : who;
    add("runAsUser=0", all, "must not set runAsUser=0");
  }

  private static boolean isZero(JsonNode number) {
    return number.isNumber() && number.asLong(1) == 0;
  }

  private void seLinux() {
    String who = named(one -> isBadLabel(context(one).path("seLinuxOptions")));
    boolean pod = isBadLabel(podContext.path("seLinuxOptions"));
    String all = pod ? (who.isEmpty() ? "pod" : "pod and " + who) : who;
    add("seLinuxOptions", all, "set forbidden securityContext.seLinuxOptions");
  }

  private static boolean isBadLabel(JsonNode options) {
    return !SELINUX_TYPES.contains(options.path("type").asString(""))
        || !options.path("user").asString("").isEmpty()
        || !options.path("role").asString("").isEmpty();
  }

  private void seccomp(boolean restricted) {
    String pod = podContext.path("seccompProfile").path("type").asString("");
    String unconfined = named(one -> isUnconfined(context(one).path("seccompProfile")));
    boolean podUnconfined = pod.equals("Unconfined");
    if (podUnconfined || !unconfined.isEmpty()) {
      String all =
          podUnconfined ? (unconfined.isEmpty() ? "pod" : "pod and " + unconfined) : unconfined;
      add(
          "seccompProfile",
          all,
          "must not set securityContext.seccompProfile.type to \"Unconfined\"");
    } else if (restricted && pod.isEmpty()) {
      String who =
          named(one -> context(one).path("seccompProfile").path("type").asString("").isEmpty());
      add(
          "seccompProfile",
          who.isEmpty() ? "" : "pod or " + who,
          "must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
              + " \"Localhost\"");
    }
  }

  private void sysctls() {
    List<String> bad = new ArrayList<>();
    for (JsonNode sysctl : podContext.path("sysctls")) {
      String name = sysctl.path("name").asString("");
      if (!SAFE_SYSCTLS.contains(name)) {
        bad.add(name);
      }
    }
    if (!bad.isEmpty()) {
      faults.add("forbidden sysctls (" + String.join(", ", bad) + ")");
    }
  }

  private void hostProcess() {
    Predicate<JsonNode> host =
        one -> one.path("windowsOptions").path("hostProcess").asBoolean(false);
    String who = named(one -> host.test(context(one)));
    boolean pod = host.test(podContext);
    String all = pod ? (who.isEmpty() ? "pod" : "pod and " + who) : who;
    add("hostProcess", all, "must not set securityContext.windowsOptions.hostProcess=true");
  }
}
