package io.fairlead.app.hoststate;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.proxy.node.SysctlFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The network of this machine at one moment, as far as this program may change it.
///
/// @param boot which run of the kernel
/// @param namespace which network namespace
/// @param rules of the packet filter
/// @param links interfaces with their addresses
/// @param routes of all tables but the local one, which follows from the addresses
/// @param sysctls by name, those that can be read
public record NetworkSnapshot(
    String boot,
    String namespace,
    List<String> rules,
    List<String> links,
    List<String> routes,
    Map<String, String> sysctls) {
  private static final int LOCAL_TABLE = 255;

  /// Everything that the agent or a mode of the proxy may set.
  private static final List<String> SYSCTLS =
      List.of(
          "net/ipv4/ip_forward",
          "net/ipv6/conf/all/forwarding",
          "net/ipv4/conf/all/route_localnet",
          "net/ipv4/conf/all/arp_ignore",
          "net/ipv4/conf/all/arp_announce",
          "net/ipv4/vs/conntrack",
          "net/ipv4/vs/conn_reuse_mode",
          "net/ipv4/vs/expire_nodest_conn",
          "net/ipv4/vs/expire_quiescent_template");

  public NetworkSnapshot {
    rules = List.copyOf(rules);
    links = List.copyOf(links);
    routes = List.copyOf(routes);
    sysctls = Map.copyOf(sysctls);
  }

  /// Looks at the network of this process. Needs root for the rules.
  public static NetworkSnapshot now() {
    List<String> links = new ArrayList<>();
    List<String> routes = new ArrayList<>();
    try (Rtnetlink network = Rtnetlink.open()) {
      Map<Integer, String> names = new HashMap<>();
      for (Link link : network.links()) {
        names.put(link.index(), link.name());
        links.add(link.name());
      }
      for (int family : List.of(Rtnetlink.IPV4, Rtnetlink.IPV6)) {
        network
            .addresses(family)
            .forEach(
                address ->
                    links.add(names.getOrDefault(address.link(), "?") + " " + address.prefix()));
        network.routes(family).stream()
            .filter(route -> route.table() != LOCAL_TABLE)
            .forEach(
                route ->
                    routes.add(
                        route.destination()
                            + (route.gateway() == null
                                ? ""
                                : " via " + route.gateway().getHostAddress())
                            + " dev "
                            + names.getOrDefault(route.link(), "?")
                            + " table "
                            + route.table()));
      }
    }
    Map<String, String> sysctls = new TreeMap<>();
    SYSCTLS.forEach(name -> sysctl(name).ifPresent(value -> sysctls.put(name, value)));
    return new NetworkSnapshot(thisBoot(), thisNamespace(), Ruleset.now(), links, routes, sysctls);
  }

  static Optional<String> sysctl(String name) {
    try {
      return Optional.of(new SysctlFiles(Path.of("/proc/sys")).text(name));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// Which run of the kernel this is.
  static String thisBoot() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /// The network namespace of this process, `net:[4026531840]`.
  static String thisNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
    } catch (IOException e) {
      return "";
    }
  }

  /// Whether it was taken here: since this machine was started, and in this network namespace.
  boolean isOfHere() {
    return boot.equals(thisBoot()) && namespace.equals(thisNamespace());
  }

  /// What another one has and this one has not, `+`, and the other way round, `-`.
  List<String> differences(NetworkSnapshot later) {
    List<String> differences = new ArrayList<>();
    compare(rules, later.rules, differences);
    compare(links, later.links, differences);
    compare(routes, later.routes, differences);
    compare(values(sysctls, later), values(later.sysctls, this), differences);
    return differences;
  }

  /// Settings that the other moment has too. One that came with a part of the kernel, loaded since,
  /// had no value before.
  private static List<String> values(Map<String, String> sysctls, NetworkSnapshot other) {
    return sysctls.entrySet().stream()
        .filter(each -> other.sysctls.containsKey(each.getKey()))
        .map(Object::toString)
        .sorted()
        .toList();
  }

  private static void compare(List<String> before, List<String> after, List<String> differences) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    before.forEach(line -> counts.merge(line, -1, Integer::sum));
    after.forEach(line -> counts.merge(line, 1, Integer::sum));
    counts.forEach(
        (line, count) -> {
          if (count != 0) {
            differences.add((count < 0 ? "- " : "+ ") + line);
          }
        });
  }

  /// The one in a file; empty when there is none or it cannot be read as one.
  static Optional<NetworkSnapshot> read(Path file) {
    try {
      ObjectNode node = Json.parseObject(Files.readAllBytes(file));
      Map<String, String> sysctls = new TreeMap<>();
      node.path("sysctls")
          .properties()
          .forEach(each -> sysctls.put(each.getKey(), each.getValue().asString("")));
      return Optional.of(
          new NetworkSnapshot(
              Json.textOr(node, "", "boot"),
              Json.textOr(node, "", "namespace"),
              texts(node.path("rules")),
              texts(node.path("links")),
              texts(node.path("routes")),
              sysctls));
    } catch (IOException | JacksonException | ClassCastException e) {
      return Optional.empty();
    }
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  /// Writes it whole or not at all.
  void write(Path file) {
    ObjectNode node = Json.object().put("boot", boot).put("namespace", namespace);
    rules.forEach(node.putArray("rules")::add);
    links.forEach(node.putArray("links")::add);
    routes.forEach(node.putArray("routes")::add);
    ObjectNode values = node.putObject("sysctls");
    sysctls.forEach(values::put);
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.write(next, Json.bytes(node));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
