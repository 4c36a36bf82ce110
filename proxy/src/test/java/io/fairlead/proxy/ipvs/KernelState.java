package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All that the mode has put into a kernel, as the tools print it, in an order that two of them can
/// be compared in.
///
/// @param servers lines of `ipvsadm -Sn`
/// @param sets lines of `ipset save`
/// @param addresses those of `kube-ipvs0`
/// @param rules by family, table and chain
public record KernelState(
    List<String> servers,
    List<String> sets,
    List<String> addresses,
    Map<String, List<String>> rules) {

  /// @param dumps what the save tools print, by family
  static KernelState of(
      String servers, String sets, String addresses, Map<IpAddress.Family, String> dumps) {
    Map<String, List<String>> rules = new TreeMap<>();
    dumps.forEach((family, dump) -> rules(family, dump, rules));
    return new KernelState(
        servers.lines().map(String::strip).filter(line -> !line.isEmpty()).sorted().toList(),
        sets.lines()
            .map(line -> line.replaceFirst(" initval \\S+", "").strip())
            .filter(line -> line.contains(" KUBE-"))
            .sorted()
            .toList(),
        addresses
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("inet"))
            .map(line -> line.split(" ")[1])
            .sorted()
            .toList(),
        rules);
  }

  private static void rules(IpAddress.Family family, String dump, Map<String, List<String>> rules) {
    String table = "";
    for (String line : dump.lines().map(String::strip).toList()) {
      if (line.startsWith("*")) {
        table = line.substring(1);
      } else if (line.startsWith(":KUBE-")) {
        String chain = line.substring(1, line.indexOf(' '));
        rules.computeIfAbsent(family + " " + table + " " + chain, _ -> new ArrayList<>());
      } else if (line.startsWith("-A ") && line.contains("KUBE-")) {
        String chain = line.substring(3, line.indexOf(' ', 3));
        rules.computeIfAbsent(family + " " + table + " " + chain, _ -> new ArrayList<>()).add(line);
      }
    }
  }

  /// What the original had put there.
  static KernelState recorded(String step) {
    return of(
        ProxyTestObjects.resource(step + "ipvs.txt"),
        ProxyTestObjects.resource(step + "ipset.txt"),
        ProxyTestObjects.resource(step + "kube-ipvs0.txt"),
        Map.of(
            IpAddress.Family.IPV4,
            ProxyTestObjects.resource(step + "ipvs-iptables.txt"),
            IpAddress.Family.IPV6,
            ProxyTestObjects.resource(step + "ipvs-ip6tables.txt")));
  }

  /// The scenarios that were recorded in this mode.
  static Stream<String> recordings() {
    return Stream.of(
        "affinity",
        "dual-stack",
        "etp-local",
        "etp-local-remote",
        "externalips",
        "fixture",
        "itp-local-none",
        "lb-source-ranges",
        "lb-vip",
        "no-endpoints",
        "protocols",
        "seed-nginx-svc",
        "t-service-delete");
  }

  public void isSameAs(KernelState expected) {
    assertThat(servers).as("virtual servers").isEqualTo(expected.servers);
    assertThat(sets).as("sets").isEqualTo(expected.sets);
    assertThat(addresses).as("addresses of kube-ipvs0").isEqualTo(expected.addresses);
    assertThat(rules).as("rules").isEqualTo(expected.rules);
  }

  public void isEmpty() {
    isSameAs(new KernelState(List.of(), List.of(), List.of(), Map.of()));
  }
}
