package io.fairlead.proxy.mode;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyPortRange;
import io.fairlead.proxy.conntrack.KernelConntrackTable;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesAudit;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.IptablesVariantDetector;
import io.fairlead.proxy.iptables.KernelIptablesRunner;
import io.fairlead.proxy.iptables.NfacctCounters;
import io.fairlead.proxy.nftables.NftablesAudit;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.nftables.TableChangeMonitor;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.userspace.UserspacePlane;
import io.fairlead.proxy.userspace.UserspaceSettings;
import io.fairlead.proxy.userspace.relay.RelaySettings;
import io.fairlead.proxy.userspace.rules.NftablesRedirects;
import io.fairlead.proxy.userspace.rules.Redirects;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The modes of this machine: which can be used, and how each is opened and removed.
public final class ProxyModes {
  private static final Logger log = LoggerFactory.getLogger(ProxyModes.class);
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(5);

  private final ProxyConfiguration configuration;
  private final SysctlFiles sysctls;

  public ProxyModes(ProxyConfiguration configuration, SysctlFiles sysctls) {
    this.configuration = configuration;
    this.sysctls = sysctls;
  }

  /// What is really run for what was asked for.
  ///
  /// @param warning why it is not what was asked for, or wished for; empty when it is
  /// @param event the reason of the event that reports the warning; empty for none
  public record Chosen(ProxyMode mode, String warning, String event) {
    Chosen(ProxyMode mode) {
      this(mode, "", "");
    }
  }

  /// Nothing and `auto` mean nftables where the kernel has it, else iptables. `ipvs` falls back to
  /// iptables where the kernel lacks it, unless the configuration forbids that.
  ///
  /// @throws DataPlaneException when the configured mode cannot be had
  public Chosen choose() {
    ProxyMode wanted = configuration.mode().orElse(null);
    return switch (wanted) {
      case null -> automatic(problem(ProxyMode.NFTABLES));
      case NFTABLES, USERSPACE -> {
        refuse(wanted);
        yield new Chosen(wanted);
      }
      case IPTABLES -> new Chosen(wanted);
      case IPVS -> chooseIpvs();
    };
  }

  private void refuse(ProxyMode mode) {
    problem(mode)
        .ifPresent(
            why -> {
              throw new DataPlaneException(why);
            });
  }

  /// @param problem what speaks against nftables
  static Chosen automatic(Optional<String> problem) {
    return problem
        .map(
            why ->
                new Chosen(
                    ProxyMode.IPTABLES, "mode auto takes iptables, not nftables: " + why, ""))
        .orElseGet(() -> new Chosen(ProxyMode.NFTABLES));
  }

  private Chosen chooseIpvs() {
    Optional<String> problem = ipvs().problem();
    if (problem.isEmpty()) {
      return new Chosen(ProxyMode.IPVS);
    }
    if (configuration.text(ProxyMode.IPVS, "fallback").equals("fail")) {
      throw new DataPlaneException(problem.get());
    }
    return new Chosen(
        ProxyMode.IPTABLES,
        "the ipvs mode cannot be used, using iptables instead: " + problem.get(),
        "IPVSFallback");
  }

  /// Why a mode cannot be had on this machine, as far as that can be told without opening it; empty
  /// when nothing speaks against it.
  public Optional<String> problem(ProxyMode mode) {
    return switch (mode) {
      case IPVS -> ipvs().problem();
      case NFTABLES -> NftablesPlane.problem(IpAddress.Family.IPV4);
      case USERSPACE ->
          // Bound to an address it writes no rules.
          configuration.text(ProxyMode.USERSPACE, "bind").isEmpty()
              ? NftablesPlane.problem(IpAddress.Family.IPV4)
              : Optional.empty();
      case IPTABLES -> Optional.empty();
    };
  }

  private IpvsMode ipvs() {
    return new IpvsMode(configuration, sysctls, CommandRunner.here(TOOL_LIMIT));
  }

  /// Opens a mode for every family of the kernel. Throws [DataPlaneException] when it cannot be
  /// used for IPv4.
  public Map<IpAddress.Family, DataPlane> open(ProxyMode mode) {
    Map<IpAddress.Family, DataPlane> planes = new EnumMap<>(IpAddress.Family.class);
    TableChangeMonitor monitor = new TableChangeMonitor();
    for (IpAddress.Family family : families()) {
      switch (mode) {
        case NFTABLES -> planes.put(family, NftablesPlane.open(family, monitor));
        case USERSPACE -> openUserspace(family, planes);
        case IPTABLES, IPVS -> openTables(mode, family, planes);
      }
    }
    return planes;
  }

  private void openUserspace(IpAddress.Family family, Map<IpAddress.Family, DataPlane> planes) {
    UserspaceSettings settings = userspaceSettings();
    IpAddress bind = settings.bind();
    if (bind != null && bind.family() != family) {
      return;
    }
    planes.put(
        family,
        UserspacePlane.open(
            family,
            settings,
            UserspacePlane.redirects(family, settings),
            new KernelConntrackTable(),
            Ticker.system(),
            RandomGenerator.getDefault()));
  }

  private UserspaceSettings userspaceSettings() {
    int processors = Runtime.getRuntime().availableProcessors();
    int threads = configuration.number(ProxyMode.USERSPACE, "threads");
    RelaySettings relay =
        RelaySettings.forProcessors(processors)
            .withUdpIdle(configuration.time(ProxyMode.USERSPACE, "udpIdleTimeout"));
    ProxyPortRange ports =
        ProxyPortRange.parseOrNull(configuration.text(ProxyMode.USERSPACE, "portRange"));
    UserspaceSettings settings =
        UserspaceSettings.standard(processors, HostAddresses.now())
            .withRelay(threads == 0 ? relay : relay.withThreads(threads))
            .withPorts(ports == null ? ProxyPortRange.any() : ports);
    IpAddress bind = IpAddress.parseOrNull(configuration.text(ProxyMode.USERSPACE, "bind"));
    return bind == null ? settings : settings.withBind(bind);
  }

  private void openTables(
      ProxyMode mode, IpAddress.Family family, Map<IpAddress.Family, DataPlane> planes) {
    KernelIptablesRunner tool = tool(family);
    try {
      if (tool.hasChain("nat", "POSTROUTING")) {
        planes.put(family, mode == ProxyMode.IPVS ? ipvs().open(family, tool) : plane(tool));
        return;
      }
    } catch (DataPlaneException e) {
      if (family == IpAddress.Family.IPV4) {
        throw e;
      }
    }
    if (family == IpAddress.Family.IPV4) {
      throw new DataPlaneException("iptables has no nat table here");
    }
    log.atWarn().log("ip6tables cannot be used here, going on with IPv4 alone");
  }

  private IptablesPlane plane(KernelIptablesRunner tool) {
    IptablesSettings settings =
        IptablesSettings.standard()
            .withAccounting(NfacctCounters.prepare())
            .withDropInvalid(
                !configuration.on("conntrack", "tcpBeLiberal")
                    && sysctls.read("net/netfilter/nf_conntrack_tcp_be_liberal", 0) == 0);
    Canary canary =
        new Canary(Pacer.system(), configuration.time(ProxyMode.IPTABLES, "syncPeriod"));
    return new IptablesPlane(tool, settings, canary);
  }

  private static KernelIptablesRunner tool(IpAddress.Family family) {
    return new KernelIptablesRunner(
        IptablesVariantDetector.of(
            family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6,
            CommandRunner.here(TOOL_LIMIT)));
  }

  /// Holds what the kernel has for some service ports against the plan for them.
  ///
  /// @throws DataPlaneException when the kernel cannot be asked
  public static AuditReport audit(ProxyMode mode, Plan plan) {
    return mode == ProxyMode.NFTABLES
        ? NftablesAudit.of(plan)
        : IptablesAudit.of(tool(plan.node().family()), plan);
  }

  /// The families of the kernel.
  private static List<IpAddress.Family> families() {
    boolean ipv6 =
        Files.exists(Path.of("/proc/net/if_inet6"))
            && new SysctlFiles(Path.of("/proc/sys")).read("net/ipv6/conf/all/disable_ipv6", 0) != 1;
    return ipv6 ? List.of(IpAddress.Family.values()) : List.of(IpAddress.Family.IPV4);
  }

  /// Takes away what a mode left, in both families.
  ///
  /// @return what went wrong
  public List<String> remove(ProxyMode mode) {
    return remove(mode, DataPlane::removeAll);
  }

  /// Takes away what a mode left when another has taken over. The iptables and ipvs modes call some
  /// chains by the same name, which then stay.
  ///
  /// @param successor the mode that has taken over
  /// @return what went wrong
  public List<String> remove(ProxyMode mode, ProxyMode successor) {
    return remove(mode, plane -> plane.removeBeside(successor));
  }

  private List<String> remove(ProxyMode mode, Consumer<DataPlane> how) {
    List<String> problems = new ArrayList<>();
    for (IpAddress.Family family : families()) {
      try {
        remove(mode, family, how);
      } catch (RuntimeException e) {
        problems.add(mode + " " + family + ": " + e.getMessage());
      }
    }
    return problems;
  }

  private void remove(ProxyMode mode, IpAddress.Family family, Consumer<DataPlane> how) {
    if (mode == ProxyMode.IPVS) {
      ipvs().remove(family, tool(family), how);
      return;
    }
    if (mode == ProxyMode.USERSPACE) {
      try (Redirects redirects = NftablesRedirects.open(family)) {
        redirects.removeAll();
      }
      return;
    }
    try (DataPlane plane =
        mode == ProxyMode.NFTABLES ? NftablesPlane.open(family) : plane(tool(family))) {
      how.accept(plane);
    }
  }
}
