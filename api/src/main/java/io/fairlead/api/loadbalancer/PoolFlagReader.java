package io.fairlead.api.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.names.NameValidation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads `--load-balancer-pool`, such as
/// `lan=192.168.1.240-192.168.1.250,fd00:1::100/120;announce=l2;interfaces=eth0`.
public final class PoolFlagReader {
  /// No pool at all, not even a default one.
  public static final String NONE = "none";

  /// The nodes' own addresses.
  public static final String NODE = "node";

  private PoolFlagReader() {}

  /// Reads all of them; those without a name are called `pool`, `pool-2` and so on.
  ///
  /// @return none for [#NONE] and [#NODE]
  /// @throws IllegalArgumentException with what is wrong and what would be right
  public static LoadBalancerPools read(List<String> values) {
    List<LoadBalancerPool> pools = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int number = 0;
    for (String value : values) {
      if (value.equals(NONE) || value.equals(NODE)) {
        if (values.size() > 1) {
          throw new IllegalArgumentException(
              "\"" + value + "\" stands alone: there is no pool then");
        }
        return LoadBalancerPools.NONE;
      }
      number++;
      LoadBalancerPool pool = pool(value, number == 1 ? "pool" : "pool-" + number);
      if (!names.add(pool.name())) {
        throw new IllegalArgumentException("pool " + pool.name() + " is given twice");
      }
      pools.add(pool);
    }
    LoadBalancerPools read = new LoadBalancerPools(pools, List.of(), List.of());
    for (LoadBalancerPools.RefusedPool refused : read.checked(List.of()).refused()) {
      throw new IllegalArgumentException(refused.toString());
    }
    return read;
  }

  private static LoadBalancerPool pool(String value, String unnamed) {
    String[] parts = value.split(";", -1);
    int equals = parts[0].indexOf('=');
    String name = equals < 0 ? unnamed : parts[0].substring(0, equals).strip();
    if (!NameValidation.dns1123Label(name).isEmpty()) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is no name of a pool: lower-case letters, digits and -");
    }
    List<PoolRange> ranges =
        PoolRules.ranges(List.of(parts[0].substring(equals + 1).split(",", -1)));
    Announcement announcement = Announcement.L2;
    List<String> interfaces = List.of();
    boolean autoAssign = true;
    boolean edges = false;
    for (int i = 1; i < parts.length; i++) {
      String[] option = parts[i].split("=", 2);
      String given = option.length == 2 ? option[1].strip() : "";
      switch (option[0].strip()) {
        case "announce" ->
            announcement =
                Announcement.of(given)
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "announce=" + given + ": one of l2, none, bgp"));
        case "interfaces" -> interfaces = List.of(given.split(",", -1));
        case "autoAssign" -> autoAssign = flag("autoAssign", given);
        case "avoidEdgeAddresses" -> edges = flag("avoidEdgeAddresses", given);
        default ->
            throw new IllegalArgumentException(
                "\""
                    + parts[i]
                    + "\" is no option of a pool: announce, interfaces, autoAssign,"
                    + " avoidEdgeAddresses");
      }
    }
    LoadBalancerPool plain = LoadBalancerPool.of(name, ranges, announcement);
    return new LoadBalancerPool(
        name,
        ranges,
        announcement,
        autoAssign,
        edges,
        interfaces,
        plain.nodeSelector(),
        plain.namespaceSelector(),
        plain.serviceSelector(),
        plain.priority(),
        false,
        plain.bgp());
  }

  private static boolean flag(String option, String given) {
    return switch (given) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(option + "=" + given + ": true or false");
    };
  }
}
