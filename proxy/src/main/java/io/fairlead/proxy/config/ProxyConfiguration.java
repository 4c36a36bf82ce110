package io.fairlead.proxy.config;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Durations;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.proxy.core.ProxyMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The configuration of a proxy: an object of kind KubeProxyConfiguration with every default filled
/// in. Immutable.
///
/// One default differs from kube-proxy's: `minSyncPeriod` is 0, for a pause between syncs is the
/// larger part of the time a change takes.
public final class ProxyConfiguration {
  public static final String API_VERSION = "kubeproxy.config.k8s.io/v1alpha1";
  public static final String KIND = "KubeProxyConfiguration";

  // As JSON: the first YAML that a process reads takes it long.
  private static final String DEFAULTS =
      """
      {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "bindAddress": "0.0.0.0",
        "bindAddressHardFail": false,
        "clientConnection": {"acceptContentTypes": "", "burst": 10, "contentType": "",
          "kubeconfig": "", "qps": 5},
        "clusterCIDR": "",
        "configSyncPeriod": "15m0s",
        "conntrack": {"maxPerCore": 32768, "min": 131072, "tcpBeLiberal": false,
          "tcpCloseWaitTimeout": "1h0m0s", "tcpEstablishedTimeout": "24h0m0s",
          "udpStreamTimeout": "0s", "udpTimeout": "0s"},
        "detectLocal": {"bridgeInterface": "", "interfaceNamePrefix": ""},
        "detectLocalMode": "",
        "enableProfiling": false,
        "featureGates": {},
        "healthzBindAddress": "0.0.0.0:10256",
        "hostnameOverride": "",
        "iptables": {"localhostNodePorts": null, "masqueradeAll": false, "masqueradeBit": 14,
          "minSyncPeriod": "0s", "syncPeriod": "30s"},
        "ipvs": {"excludeCIDRs": [], "minSyncPeriod": "0s", "scheduler": "",
          "strictARP": false, "syncPeriod": "30s", "tcpFinTimeout": "0s", "tcpTimeout": "0s",
          "udpTimeout": "0s", "fallback": "iptables"},
        "logging": {},
        "metricsBindAddress": "127.0.0.1:10249",
        "mode": "",
        "nftables": {"masqueradeAll": false, "masqueradeBit": 14, "minSyncPeriod": "0s",
          "syncPeriod": "30s"},
        "nodePortAddresses": [],
        "oomScoreAdj": -999,
        "portRange": "",
        "showHiddenMetricsForVersion": "",
        "userspace": {"bind": "", "minSyncPeriod": "0s", "portRange": "", "syncPeriod": "30s",
          "threads": 0, "udpIdleTimeout": "250ms"},
        "windowsRunAsService": false,
        "winkernel": {}
      }
      """;

  /// Fields for which zero and the empty text mean the default, as they do for kube-proxy.
  private static final Set<String> ZERO_IS_DEFAULT =
      Set.of(
          "bindAddress",
          "clientConnection.burst",
          "clientConnection.qps",
          "configSyncPeriod",
          "healthzBindAddress",
          "iptables.syncPeriod",
          "ipvs.syncPeriod",
          "metricsBindAddress",
          "nftables.syncPeriod",
          "userspace.syncPeriod",
          "userspace.udpIdleTimeout");

  private final ObjectNode tree;

  private ProxyConfiguration(ObjectNode tree) {
    this.tree = tree;
  }

  /// What holds when nothing is said.
  public static ProxyConfiguration defaults() {
    return new ProxyConfiguration(
        (ObjectNode) Json.parse(DEFAULTS.getBytes(StandardCharsets.UTF_8)));
  }

  /// Reads a file over the defaults. Throws [ConfigurationException] with every unknown field and
  /// every value of the wrong sort.
  public static ProxyConfiguration read(String yaml) {
    if (!(Yaml.parse(yaml) instanceof ObjectNode given)) {
      throw new ConfigurationException(List.of("the file holds no object"));
    }
    return of(given);
  }

  /// The same from an object. Throws [ConfigurationException] as [#read] does.
  public static ProxyConfiguration of(ObjectNode given) {
    List<String> problems = new ArrayList<>();
    if (!Json.textOr(given, "", "kind").equals(KIND)
        || !Json.textOr(given, "", "apiVersion").equals(API_VERSION)) {
      problems.add("must be of kind " + KIND + " and apiVersion " + API_VERSION);
    }
    ObjectNode tree = defaults().tree;
    merge(tree, given, "", problems);
    String address = Json.textOr(tree, "", "bindAddress");
    if (address.contains(":")) {
      ipv6Defaults(tree, given);
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return new ProxyConfiguration(tree);
  }

  // An IPv6 bind address moves the other two where the file does not name them.
  private static void ipv6Defaults(ObjectNode tree, ObjectNode given) {
    if (Json.textOr(given, "", "healthzBindAddress").isEmpty()) {
      tree.put("healthzBindAddress", "[::]:10256");
    }
    if (Json.textOr(given, "", "metricsBindAddress").isEmpty()) {
      tree.put("metricsBindAddress", "[::1]:10249");
    }
  }

  private static void merge(ObjectNode into, ObjectNode given, String path, List<String> problems) {
    for (Map.Entry<String, JsonNode> member : given.properties()) {
      String name = path + member.getKey();
      JsonNode known = into.get(member.getKey());
      JsonNode value = member.getValue();
      if (known == null) {
        problems.add(name + ": unknown field");
      } else if (value.isNull() || (ZERO_IS_DEFAULT.contains(name) && isZero(value))) {
        continue;
      } else if (known instanceof ObjectNode object) {
        if (!(value instanceof ObjectNode nested)) {
          problems.add(name + ": must be an object");
        } else if (object.isEmpty()) {
          into.set(member.getKey(), nested);
        } else {
          merge(object, nested, name + ".", problems);
        }
      } else if (known.isNull() ? !value.isBoolean() : known.getNodeType() != value.getNodeType()) {
        problems.add(name + ": must be a " + word(known) + ", is " + value);
      } else {
        into.set(member.getKey(), value);
      }
    }
  }

  /// Whether a value says nothing: the file that kubeadm writes has every field.
  private static boolean isZero(JsonNode value) {
    return value.isNumber()
        ? value.asDouble() == 0
        : value.isString() && (value.asString().isEmpty() || value.asString().equals("0s"));
  }

  private static String word(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "list";
      case BOOLEAN, NULL -> "true or false";
      case NUMBER -> "number";
      default -> "text";
    };
  }

  /// The configuration with one flag set. Throws [ConfigurationException] when the value does not
  /// fit.
  public ProxyConfiguration with(ProxyFlag flag, String value) {
    ObjectNode copy = tree.deepCopy();
    set(copy, flag.path(), flag, value);
    // These flags speak of iptables only by name: nftables mode follows them too.
    if (flag.path().getFirst().equals(ProxyMode.IPTABLES.toString())
        && !flag.path().getLast().equals("localhostNodePorts")) {
      set(copy, List.of(ProxyMode.NFTABLES.toString(), flag.path().getLast()), flag, value);
    }
    return new ProxyConfiguration(copy);
  }

  private static void set(ObjectNode tree, List<String> path, ProxyFlag flag, String value) {
    ObjectNode parent = tree;
    for (String step : path.subList(0, path.size() - 1)) {
      parent = Json.child(parent, step);
    }
    String last = path.getLast();
    switch (flag.kind()) {
      case TEXT -> parent.put(last, value);
      case DURATION -> {
        if (Durations.nanoseconds(value) == null) {
          throw bad(flag, value, "a time such as 30s");
        }
        parent.put(last, value);
      }
      case SWITCH -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw bad(flag, value, "true or false");
        }
        parent.put(last, value.equals("true"));
      }
      case NUMBER -> {
        try {
          parent.put(last, Integer.parseInt(value));
        } catch (NumberFormatException _) {
          throw bad(flag, value, "a number");
        }
      }
      case LIST -> {
        ArrayNode list = parent.putArray(last);
        for (String each : value.split(",")) {
          if (!each.isBlank()) {
            list.add(each.strip());
          }
        }
      }
    }
  }

  private static ConfigurationException bad(ProxyFlag flag, String value, String wanted) {
    return new ConfigurationException(
        List.of("--" + flag.name() + ": \"" + value + "\" is not " + wanted));
  }

  /// The whole object, for `/configz` and `--write-config-to`.
  public ObjectNode tree() {
    return tree.deepCopy();
  }

  /// The configured mode; empty where the proxy chooses (`auto`, or nothing).
  public Optional<ProxyMode> mode() {
    return ProxyMode.find(text("mode"));
  }

  public String text(ProxyMode section, String field) {
    return text(section.toString(), field);
  }

  public boolean on(ProxyMode section, String field) {
    return on(section.toString(), field);
  }

  /// Whether a switch is turned off in so many words. One that nothing was said about is neither on
  /// nor off.
  public boolean off(ProxyMode section, String field) {
    JsonNode value = Json.at(tree, section.toString(), field);
    return value.isBoolean() && !value.asBoolean();
  }

  public int number(ProxyMode section, String field) {
    return number(section.toString(), field);
  }

  /// Zero when the text is no time, which [ConfigurationCheck] reports.
  public Duration time(ProxyMode section, String field) {
    return time(section.toString(), field);
  }

  public List<String> list(ProxyMode section, String field) {
    return list(section.toString(), field);
  }

  public String text(String... path) {
    return Json.textOr(tree, "", path);
  }

  public boolean on(String... path) {
    return Json.at(tree, path).asBoolean(false);
  }

  public int number(String... path) {
    return Json.at(tree, path).asInt(0);
  }

  /// Zero when the text is no time, which [ConfigurationCheck] reports.
  public Duration time(String... path) {
    Duration time = timeOrNull(path);
    return time == null ? Duration.ZERO : time;
  }

  @Nullable Duration timeOrNull(String... path) {
    Long nanoseconds = Durations.nanoseconds(Json.textOr(tree, "", path));
    return nanoseconds == null ? null : Duration.ofNanos(nanoseconds);
  }

  public List<String> list(String... path) {
    List<String> list = new ArrayList<>();
    Json.at(tree, path).forEach(entry -> list.add(entry.asString("")));
    return list;
  }
}
