package io.fairlead.proxy.config;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ProxyMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds what is wrong with a configuration, field by field.
public final class ConfigurationCheck {
  private static final List<String> MODES =
      List.of("", "auto", "iptables", "nftables", "ipvs", "userspace");
  private static final List<String> DETECTORS =
      List.of("", "ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix");
  private static final Set<String> KEYWORDS = Set.of("primary", "localhost", "all");

  private static final int MOST_THREADS = 64;

  private final ProxyConfiguration configuration;
  private final List<String> problems = new ArrayList<>();

  private ConfigurationCheck(ProxyConfiguration configuration) {
    this.configuration = configuration;
  }

  /// Empty when all is well.
  public static List<String> problems(ProxyConfiguration configuration) {
    ConfigurationCheck check = new ConfigurationCheck(configuration);
    check.modes();
    check.times();
    check.addresses();
    check.ranges();
    return List.copyOf(check.problems);
  }

  private void modes() {
    oneOf("mode", MODES);
    oneOf("detectLocalMode", DETECTORS);
    String mode = configuration.text("detectLocalMode");
    if (mode.equals("BridgeInterface")
        && configuration.text("detectLocal", "bridgeInterface").isEmpty()) {
      problems.add("detectLocal.bridgeInterface: is needed with detectLocalMode BridgeInterface");
    }
    if (mode.equals("InterfaceNamePrefix")
        && configuration.text("detectLocal", "interfaceNamePrefix").isEmpty()) {
      problems.add(
          "detectLocal.interfaceNamePrefix: is needed with detectLocalMode InterfaceNamePrefix");
    }
    between("oomScoreAdj", -1000, 1000, configuration.number("oomScoreAdj"));
    for (String section : List.of("iptables", "nftables")) {
      between(section + ".masqueradeBit", 0, 31, configuration.number(section, "masqueradeBit"));
    }
  }

  private void oneOf(String field, List<String> choices) {
    if (!choices.contains(configuration.text(field))) {
      problems.add(
          field
              + ": \""
              + configuration.text(field)
              + "\" is not one of "
              + String.join(", ", choices.subList(1, choices.size())));
    }
  }

  private void between(String field, int least, int most, int value) {
    if (value < least || value > most) {
      problems.add(field + ": " + value + " is not between " + least + " and " + most);
    }
  }

  private void times() {
    positive("configSyncPeriod");
    for (ProxyMode mode : ProxyMode.values()) {
      String section = mode.toString();
      positive(section, "syncPeriod");
      notNegative(section, "minSyncPeriod");
      Duration least = configuration.time(section, "minSyncPeriod");
      if (least.compareTo(configuration.time(section, "syncPeriod")) > 0) {
        problems.add(section + ".minSyncPeriod: is longer than " + section + ".syncPeriod");
      }
    }
    positive("userspace", "udpIdleTimeout");
    for (String name :
        List.of("tcpEstablishedTimeout", "tcpCloseWaitTimeout", "udpTimeout", "udpStreamTimeout")) {
      notNegative("conntrack", name);
    }
    for (String name : List.of("tcpTimeout", "tcpFinTimeout", "udpTimeout")) {
      notNegative("ipvs", name);
    }
  }

  private void positive(String... path) {
    Duration time = configuration.timeOrNull(path);
    if (time == null || time.isNegative() || time.isZero()) {
      problems.add(String.join(".", path) + ": must be a time greater than zero, such as 30s");
    }
  }

  private void notNegative(String... path) {
    Duration time = configuration.timeOrNull(path);
    if (time == null || time.isNegative()) {
      problems.add(String.join(".", path) + ": must be a time, such as 1s or 0s");
    }
  }

  private void addresses() {
    if (IpAddress.parseOrNull(configuration.text("bindAddress")) == null) {
      problems.add("bindAddress: \"" + configuration.text("bindAddress") + "\" is no address");
    }
    String bind = configuration.text(ProxyMode.USERSPACE, "bind");
    if (!bind.isEmpty() && IpAddress.parseOrNull(bind) == null) {
      problems.add("userspace.bind: \"" + bind + "\" is no address");
    }
    between(
        "userspace.threads", 0, MOST_THREADS, configuration.number(ProxyMode.USERSPACE, "threads"));
    String ports = configuration.text(ProxyMode.USERSPACE, "portRange");
    if (ProxyPortRange.parseOrNull(ports) == null) {
      problems.add(
          "userspace.portRange: \"" + ports + "\" is no range of ports such as 20000-29999");
    }
    for (String field : List.of("healthzBindAddress", "metricsBindAddress")) {
      String text = configuration.text(field);
      if (!text.isEmpty() && BindAddress.parse(text) == null) {
        problems.add(field + ": \"" + text + "\" is not of the form ADDRESS:PORT");
      }
    }
  }

  private void ranges() {
    Set<IpAddress.Family> families = new HashSet<>();
    for (String text : configuration.text("clusterCIDR").split(",")) {
      Cidr cidr = text.isBlank() ? null : Cidr.parseOrNull(text.strip());
      if (cidr == null && !text.isBlank()) {
        problems.add("clusterCIDR: \"" + text + "\" is no CIDR");
      } else if (cidr != null && !families.add(cidr.family())) {
        problems.add("clusterCIDR: two ranges of " + cidr.family());
      }
    }
    Set<String> seen = new HashSet<>();
    for (String text : configuration.list("nodePortAddresses")) {
      if (KEYWORDS.contains(text)) {
        if (!seen.add(text)) {
          problems.add("nodePortAddresses: \"" + text + "\" is given twice");
        }
      } else if (Cidr.parseOrNull(text) == null) {
        problems.add(
            "nodePortAddresses: \"" + text + "\" is no CIDR and none of primary, localhost, all");
      }
    }
  }
}
