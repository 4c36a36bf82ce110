package io.fairlead.app.dns;

import java.util.ArrayList;
import java.util.List;

/// How a resolver library turns what a program asks for into names: the search list and `ndots` of
/// a pod's resolv.conf.
///
/// @param domains tried behind the name, in order
/// @param ndots a name with so many dots is first tried as it is
public record SearchList(List<String> domains, int ndots) {
  private static final int USUAL_DOTS = 5;

  public SearchList {
    domains = List.copyOf(domains);
  }

  /// What a pod of a namespace has unless it says otherwise.
  public static SearchList of(String namespace, String zone) {
    return new SearchList(List.of(namespace + ".svc." + zone, "svc." + zone, zone), USUAL_DOTS);
  }

  /// The names to try, with their last dot, in order.
  public List<String> names(String asked) {
    if (asked.endsWith(".")) {
      return List.of(asked);
    }
    List<String> names = new ArrayList<>();
    for (String domain : domains) {
      names.add(asked + "." + domain + ".");
    }
    long dots = asked.chars().filter(c -> c == '.').count();
    names.add(dots >= ndots ? 0 : names.size(), asked + ".");
    return names;
  }
}
