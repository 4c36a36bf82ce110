package io.fairlead.proxy.userspace.balance;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.ServicePort;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The shares of endpoints for {@link BalancingPolicy#WEIGHTED}, from the annotation
/// `fairlead.dev/userspace-weights`: `10.244.1.0/24=3, local=2, 10.244.2.7=0`. The first entry that
/// fits an endpoint counts; one that none fits has 1.
public final class EndpointWeights {
  /// The option of a service port that lists them.
  public static final String OPTION = "userspace-weights";

  private static final int MOST = 1000;

  /// @param where null for the endpoints of this node
  private record Entry(@Nullable Cidr where, int weight) {
    boolean fits(Backend backend) {
      return where == null ? backend.local() : where.contains(backend.address());
    }
  }

  private final List<Entry> entries;
  private final List<String> problems;

  private EndpointWeights(List<Entry> entries, List<String> problems) {
    this.entries = List.copyOf(entries);
    this.problems = List.copyOf(problems);
  }

  public static EndpointWeights of(ServicePort port) {
    return parse(port.options().getOrDefault(OPTION, ""));
  }

  public static EndpointWeights parse(String text) {
    List<Entry> entries = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String each : text.split(",")) {
      if (!each.isBlank()) {
        Entry entry = entry(each.strip());
        if (entry == null) {
          problems.add(
              "\""
                  + each.strip()
                  + "\" is no weight: it must be an address, a CIDR or local, then = and 0 to "
                  + MOST);
        } else {
          entries.add(entry);
        }
      }
    }
    return new EndpointWeights(entries, problems);
  }

  private static @Nullable Entry entry(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      return null;
    }
    String where = text.substring(0, equals).strip();
    int weight;
    try {
      weight = Integer.parseInt(text.substring(equals + 1).strip());
    } catch (NumberFormatException _) {
      return null;
    }
    if (weight < 0 || weight > MOST) {
      return null;
    }
    if (where.equals("local")) {
      return new Entry(null, weight);
    }
    IpAddress address = IpAddress.parseOrNull(where);
    Cidr cidr =
        address == null ? Cidr.parseOrNull(where) : new Cidr(address, address.family().bits());
    return cidr == null ? null : new Entry(cidr.masked(), weight);
  }

  /// What is wrong with the text.
  public List<String> problems() {
    return problems;
  }

  public int of(Backend backend) {
    return entries.stream()
        .filter(entry -> entry.fits(backend))
        .findFirst()
        .map(Entry::weight)
        .orElse(1);
  }
}
