package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.IpvsChangeFailure;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Whether this mode can be used on a machine: is there IPVS, the ipset tool, the scheduler.
public final class IpvsSupport {
  private static final Pattern VERSION = Pattern.compile("v?(\\d+)\\.(\\d+)");
  private static final int OLDEST_IPSET = 6;
  private static final int TCP = 6;

  // An address for documentation, which no client calls.
  private static final VirtualServerAddress PROBE =
      new VirtualServerAddress(IpPrefix.parse("198.51.100.0").address(), 20000, TCP);

  private IpvsSupport() {}

  /// Tries. Loads the module where it can.
  ///
  /// @return why not; empty when it can be used
  public static Optional<String> problem(String scheduler, CommandRunner tool) {
    try {
      tool.run("", List.of("modprobe", "ip_vs"));
    } catch (CommandRunnerException _) {
      // It may be loaded, or built in, all the same.
    }
    try (VirtualServers servers = KernelVirtualServers.open()) {
      Optional<String> tools = ipsetProblem(new KernelIpsetRunner(tool).version());
      return tools.isPresent() ? tools : schedulerProblem(servers, scheduler);
    } catch (DataPlaneException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  static Optional<String> ipsetProblem(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.find()) {
      return Optional.of("ipset does not tell its version: " + version);
    }
    return Integer.parseInt(matcher.group(1)) < OLDEST_IPSET
        ? Optional.of("ipset " + matcher.group() + " is too old, 6.0 is needed")
        : Optional.empty();
  }

  /// Makes a virtual server that no client calls with the scheduler, unless one uses it already.
  static Optional<String> schedulerProblem(VirtualServers servers, String scheduler) {
    if (servers.servers().stream()
        .anyMatch(listed -> listed.server().scheduler().equals(scheduler))) {
      return Optional.empty();
    }
    VirtualServer probe = new VirtualServer(PROBE, scheduler, Schedulers.flags(scheduler), 0);
    List<IpvsChangeFailure> refusals = servers.apply(List.of(new IpvsChange.AddServer(probe)));
    if (!refusals.isEmpty() && !refusals.getFirst().alreadyExists()) {
      return Optional.of(
          refusals.getFirst().isNotFound()
              ? Schedulers.missing(scheduler)
              : "IPVS refused to " + refusals.getFirst());
    }
    servers.apply(List.of(new IpvsChange.DeleteServer(PROBE)));
    return Optional.empty();
  }
}
