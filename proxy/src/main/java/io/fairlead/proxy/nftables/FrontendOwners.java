package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.proxy.core.ServicePortName;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Whose a front is when several service ports want the same address and port (two Services with
/// one external IP, say): that of the first by name, whatever came first in time, so that a restart
/// changes nothing.
final class FrontendOwners {
  private final Map<NftData, ServicePortName> single = new HashMap<>();
  private final Map<NftData, TreeSet<ServicePortName>> contested = new HashMap<>();

  void claim(NftData key, ServicePortName name) {
    TreeSet<ServicePortName> several = contested.get(key);
    if (several != null) {
      several.add(name);
      return;
    }
    ServicePortName other = single.putIfAbsent(key, name);
    if (other != null && !other.equals(name)) {
      single.remove(key);
      contested.put(key, new TreeSet<>(Set.of(other, name)));
    }
  }

  void release(NftData key, ServicePortName name) {
    TreeSet<ServicePortName> several = contested.get(key);
    if (several == null) {
      single.remove(key, name);
      return;
    }
    several.remove(name);
    if (several.size() == 1) {
      contested.remove(key);
      single.put(key, several.getFirst());
    }
  }

  boolean owns(NftData key, ServicePortName name) {
    return name.equals(owner(key));
  }

  private @Nullable ServicePortName owner(NftData key) {
    TreeSet<ServicePortName> several = contested.get(key);
    return several == null ? single.get(key) : several.getFirst();
  }

  /// Adds everyone who wants that front.
  void claimants(NftData key, Collection<ServicePortName> into) {
    TreeSet<ServicePortName> several = contested.get(key);
    if (several != null) {
      into.addAll(several);
    } else if (single.get(key) instanceof ServicePortName name) {
      into.add(name);
    }
  }
}
