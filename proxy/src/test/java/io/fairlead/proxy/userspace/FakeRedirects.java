package io.fairlead.proxy.userspace;

import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import io.fairlead.proxy.userspace.rules.Redirects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Redirects in memory, which refuse what the kernel would refuse.
final class FakeRedirects implements Redirects {
  final Map<RedirectRoute.Destination, RedirectRoute> routes = new HashMap<>();
  final List<String> calls = new ArrayList<>();
  boolean broken;

  @Override
  public int replace(NodeFacts node, Collection<RedirectRoute> all) {
    check("replace " + all.size());
    routes.clear();
    all.forEach(route -> routes.put(route.destination(), route));
    return all.size();
  }

  @Override
  public int change(List<RedirectRoute> removed, List<RedirectRoute> added) {
    check("change " + removed.size() + " " + added.size());
    for (RedirectRoute route : removed) {
      if (!route.equals(routes.remove(route.destination()))) {
        throw new DataPlaneException("not there: " + route);
      }
    }
    for (RedirectRoute route : added) {
      if (routes.put(route.destination(), route) != null) {
        throw new DataPlaneException("there already: " + route);
      }
    }
    return removed.size() + added.size();
  }

  private void check(String call) {
    calls.add(call);
    if (broken) {
      throw new DataPlaneException("the kernel refuses");
    }
  }

  @Override
  public void removeAll() {
    routes.clear();
  }

  @Override
  public String listing() {
    return routes.toString();
  }

  @Override
  public void onDrift(Runnable listener) {}

  @Override
  public void close() {}
}
