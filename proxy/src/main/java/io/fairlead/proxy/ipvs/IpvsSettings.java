package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import java.util.List;

/// How the mode works, apart from what the plan says.
///
/// @param scheduler for Services that choose none
/// @param excluded virtual servers in these ranges belong to other programs and stay as they are
/// @param strictArp the node does not answer ARP for addresses of Services
/// @param timeouts of connections; 0 leaves the kernel's own
public record IpvsSettings(
    String scheduler, List<Cidr> excluded, boolean strictArp, IpvsTimeouts timeouts) {

  public IpvsSettings {
    scheduler = scheduler.isEmpty() ? Schedulers.DEFAULT : scheduler;
    excluded = List.copyOf(excluded);
  }

  public static IpvsSettings standard() {
    return new IpvsSettings("", List.of(), false, new IpvsTimeouts(0, 0, 0));
  }

  public IpvsSettings withScheduler(String other) {
    return new IpvsSettings(other, excluded, strictArp, timeouts);
  }

  public IpvsSettings withExcluded(List<Cidr> other) {
    return new IpvsSettings(scheduler, other, strictArp, timeouts);
  }

  public IpvsSettings withStrictArp(boolean other) {
    return new IpvsSettings(scheduler, excluded, other, timeouts);
  }

  public IpvsSettings withTimeouts(IpvsTimeouts other) {
    return new IpvsSettings(scheduler, excluded, strictArp, other);
  }

  boolean excludes(IpAddress address) {
    return excluded.stream().anyMatch(range -> range.contains(address));
  }
}
