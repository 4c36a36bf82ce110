package io.fairlead.proxy.mode;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.client.time.Ticker;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.config.PortRange;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.conntrack.KernelFlowTable;
import io.fairlead.proxy.core.Audit;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.iptables.Accounting;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesAudit;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelRuleTool;
import io.fairlead.proxy.iptables.ToolChoice;
import io.fairlead.proxy.nftables.Lookout;
import io.fairlead.proxy.nftables.NftablesAudit;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.node.LocalAddresses;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.userspace.UserspacePlane;
import io.fairlead.proxy.userspace.UserspaceSettings;
import io.fairlead.proxy.userspace.relay.RelaySettings;
import io.fairlead.proxy.userspace.rules.NftablesRedirects;
import io.fairlead.proxy.userspace.rules.Redirects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The modes of this machine.
public final class Modes {
  public static final String IPTABLES = "iptables";
  public static final String NFTABLES = "nftables";
  public static final String IPVS = "ipvs";
  public static final String USERSPACE = "userspace";

  /// Every mode there is.
  public static final List<String> ALL = List.of(IPVS, IPTABLES, NFTABLES, USERSPACE);

  private static final Logger log = LoggerFactory.getLogger(Modes.class);
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(5);

  private final ProxyConfiguration configuration;
  private final Sysctls sysctls;

  public Modes(ProxyConfiguration configuration, Sysctls sysctls) {
    this.configuration = configuration;
    this.sysctls = sysctls;
  }

  /// What is really run for what was asked for.
  ///
  /// @param mode one of {@link #ALL}
  /// @param warning why it is not what was asked for, or wished for; empty when it is
  /// @param event the reason of the event that tells the warning to the cluster; empty for none
  public record Chosen(String mode, String warning, String event) {
    Chosen(String mode) {
      this(mode, "", "");
    }
  }

  /// Nothing and `auto` mean nftables where the kernel has it, else iptables. `ipvs` falls back to
  /// iptables where the kernel lacks it, unless the configuration forbids that.
  ///
  /// @throws DataPlaneException when the configured mode cannot be had
  public Chosen choose() {
    String wanted = configuration.text("mode");
    return switch (wanted) {
      case NFTABLES, USERSPACE -> {
        refuse(wanted);
        yield new Chosen(wanted);
      }
      case IPTABLES -> new Chosen(IPTABLES);
      case IPVS -> chooseIpvs();
      default -> automatic(problem(NFTABLES));
    };
  }

  private void refuse(String mode) {
    problem(mode)
        .ifPresent(
            why -> {
              throw new DataPlaneException(why);
            });
  }

  /// @param problem what speaks against nftables
  static Chosen automatic(Optional<String> problem) {
    return problem
        .map(why -> new Chosen(IPTABLES, "mode auto takes iptables, not nftables: " + why, ""))
        .orElseGet(() -> new Chosen(NFTABLES));
  }

  private Chosen chooseIpvs() {
    Optional<String> problem = ipvs().problem();
    if (problem.isEmpty()) {
      return new Chosen(IPVS);
    }
    if (configuration.text(IPVS, "fallback").equals("fail")) {
      throw new DataPlaneException(problem.get());
    }
    return new Chosen(
        IPTABLES,
        "the ipvs mode cannot be used, using iptables instead: " + problem.get(),
        "IPVSFallback");
  }

  /// Why a mode cannot be had on this machine, as far as that can be told without opening it; empty
  /// when nothing speaks against it.
  public Optional<String> problem(String mode) {
    return switch (mode) {
      case IPVS -> ipvs().problem();
      case NFTABLES -> NftablesPlane.problem(IpAddress.Family.IPV4);
      case USERSPACE ->
          // Bound to an address it leads nobody anywhere.
          configuration.text(USERSPACE, "bind").isEmpty()
              ? NftablesPlane.problem(IpAddress.Family.IPV4)
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private IpvsMode ipvs() {
    return new IpvsMode(configuration, sysctls, Tool.here(TOOL_LIMIT));
  }

  /// Opens a mode for every family of the kernel. Throws [DataPlaneException] when it cannot be
  /// used for IPv4.
  public Map<IpAddress.Family, DataPlane> open(String mode) {
    Map<IpAddress.Family, DataPlane> planes = new EnumMap<>(IpAddress.Family.class);
    Lookout lookout = new Lookout();
    for (IpAddress.Family family : families()) {
      switch (mode) {
        case NFTABLES -> planes.put(family, NftablesPlane.open(family, lookout));
        case USERSPACE -> openUserspace(family, planes);
        default -> openTables(mode, family, planes);
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
            new KernelFlowTable(),
            Ticker.system(),
            RandomGenerator.getDefault()));
  }

  private UserspaceSettings userspaceSettings() {
    int processors = Runtime.getRuntime().availableProcessors();
    int threads = configuration.number(USERSPACE, "threads");
    RelaySettings relay =
        RelaySettings.forProcessors(processors)
            .withUdpIdle(configuration.time(USERSPACE, "udpIdleTimeout"));
    PortRange ports = PortRange.parseOrNull(configuration.text(USERSPACE, "portRange"));
    UserspaceSettings settings =
        UserspaceSettings.standard(processors, LocalAddresses.now())
            .withRelay(threads == 0 ? relay : relay.withThreads(threads))
            .withPorts(ports == null ? PortRange.any() : ports);
    IpAddress bind = IpAddress.parseOrNull(configuration.text(USERSPACE, "bind"));
    return bind == null ? settings : settings.withBind(bind);
  }

  private void openTables(
      String mode, IpAddress.Family family, Map<IpAddress.Family, DataPlane> planes) {
    KernelRuleTool tool = tool(family);
    try {
      if (tool.hasChain("nat", "POSTROUTING")) {
        planes.put(family, mode.equals(IPVS) ? ipvs().open(family, tool) : plane(tool));
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

  private IptablesPlane plane(KernelRuleTool tool) {
    IptablesSettings settings =
        IptablesSettings.standard()
            .withAccounting(Accounting.prepare())
            .withDropInvalid(
                !configuration.on("conntrack", "tcpBeLiberal")
                    && sysctls.read("net/netfilter/nf_conntrack_tcp_be_liberal", 0) == 0);
    Canary canary = new Canary(Pacer.system(), configuration.time(IPTABLES, "syncPeriod"));
    return new IptablesPlane(tool, settings, canary);
  }

  private static KernelRuleTool tool(IpAddress.Family family) {
    return new KernelRuleTool(
        ToolChoice.of(
            family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6,
            Tool.here(TOOL_LIMIT)));
  }

  /// Holds what the kernel has for some service ports against the plan for them.
  ///
  /// @throws DataPlaneException when the kernel cannot be asked
  public static Audit audit(String mode, Plan plan) {
    return mode.equals(NFTABLES)
        ? NftablesAudit.of(plan)
        : IptablesAudit.of(tool(plan.node().family()), plan);
  }

  /// The families of the kernel.
  private static List<IpAddress.Family> families() {
    boolean ipv6 =
        Files.exists(Path.of("/proc/net/if_inet6"))
            && new Sysctls(Path.of("/proc/sys")).read("net/ipv6/conf/all/disable_ipv6", 0) != 1;
    return ipv6 ? List.of(IpAddress.Family.values()) : List.of(IpAddress.Family.IPV4);
  }

  /// Takes away what a mode left, in both families.
  ///
  /// @return what went wrong
  public List<String> remove(String mode) {
    return remove(mode, "");
  }

  /// Takes away what a mode left when another has taken over. The iptables and ipvs modes call some
  /// chains by the same name, which then stay.
  ///
  /// @param successor the mode that has taken over; empty for none
  /// @return what went wrong
  public List<String> remove(String mode, String successor) {
    List<String> problems = new ArrayList<>();
    for (IpAddress.Family family : families()) {
      try {
        remove(mode, family, successor);
      } catch (RuntimeException e) {
        problems.add(mode + " " + family + ": " + e.getMessage());
      }
    }
    return problems;
  }

  private void remove(String mode, IpAddress.Family family, String successor) {
    if (mode.equals(IPVS)) {
      ipvs().remove(family, tool(family), successor);
      return;
    }
    if (mode.equals(USERSPACE)) {
      try (Redirects redirects = NftablesRedirects.open(family)) {
        redirects.removeAll();
      }
      return;
    }
    try (DataPlane plane =
        mode.equals(NFTABLES) ? NftablesPlane.open(family) : plane(tool(family))) {
      plane.removeBeside(successor);
    }
  }
}
