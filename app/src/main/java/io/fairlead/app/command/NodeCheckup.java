package io.fairlead.app.command;

import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.hoststate.NetworkSnapshot;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.Ports;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.ProxyMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks at what the node of `up` needs of this machine, and changes nothing. Most of it only root
/// can see.
final class NodeCheckup {
  private static final int DNS_PORT = 53;
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final List<String> RANGES = List.of("10.96.0.0/12", "10.244.0.0/16");

  private final CommandContext context;
  private final DataDirectory directory;
  private final List<DoctorFinding> findings = new ArrayList<>();

  NodeCheckup(CommandContext context, DataDirectory directory) {
    this.context = context;
    this.directory = directory;
  }

  List<DoctorFinding> run() {
    if (!ProcessFacts.mayBeNode()) {
      add("rights", Mark.NOTHING, "doctor.rights.none");
      return findings;
    }
    add("rights", Mark.GOOD, "doctor.rights");
    modes();
    Optional<InstanceRecord> running =
        InstanceRecord.read(directory).filter(record -> record.process().isPresent());
    if (running.isPresent()) {
      parts(running.get());
    } else {
      ranges();
      WirelessCards.onlyOnes(Path.of("/sys/class/net"))
          .ifPresent(cards -> add("network", Mark.NOTHING, "doctor.wireless", cards));
      names();
      rules();
    }
    return findings;
  }

  private void modes() {
    boolean nftables = hasNftables();
    mode(ProxyMode.NFTABLES, nftables, "nf_tables");
    mode(ProxyMode.USERSPACE, nftables, "nf_tables");
    mode(
        ProxyMode.IPTABLES, CommandRunner.find("iptables-restore").isPresent(), "iptables-restore");
    mode(ProxyMode.IPVS, hasIpvs(), "ip_vs");
  }

  /// Loaded, or there to be loaded; it is not loaded for a look.
  private static boolean hasIpvs() {
    try {
      return Files.exists(Path.of("/proc/net/ip_vs"))
          || (CommandRunner.find("modprobe").isPresent()
              && CommandRunner.here(LIMIT)
                  .run("", List.of("modprobe", "-n", "-q", "ip_vs"))
                  .succeeded());
    } catch (CommandRunnerException e) {
      return false;
    }
  }

  private void mode(ProxyMode mode, boolean usable, String needed) {
    if (usable) {
      add("modes", Mark.GOOD, "doctor.mode", mode);
    } else {
      add("modes", Mark.NOTHING, "doctor.mode.none", mode, needed);
    }
  }

  private static boolean hasNftables() {
    try (Nftables nftables = Nftables.open()) {
      return nftables.refusal(NftFamily.IP).isEmpty();
    } catch (SystemCallException e) {
      return false;
    }
  }

  private void parts(InstanceRecord instance) {
    for (NodeComponents.Component part : new NodeComponents(directory, instance, context).ask()) {
      findings.add(
          new DoctorFinding(
              "node", part.well() ? Mark.GOOD : Mark.BAD, part.name() + " " + part.detail()));
    }
  }

  /// Whether the ranges of Services and pods lead nowhere else yet.
  private void ranges() {
    try (Rtnetlink network = Rtnetlink.open()) {
      for (String text : RANGES) {
        Cidr range = Cidr.parse(text);
        Optional<String> taken =
            network.routes(Rtnetlink.IPV4).stream()
                .filter(route -> route.destination().length() > 0)
                .map(route -> route.destination().toString())
                .filter(route -> overlap(range, Cidr.parse(route)))
                .findFirst();
        if (taken.isPresent()) {
          add("network", Mark.WARNING, "doctor.range.taken", text, taken.get());
        } else {
          add("network", Mark.GOOD, "doctor.range.free", text);
        }
      }
    }
  }

  private static boolean overlap(Cidr one, Cidr other) {
    return one.contains(other) || other.contains(one);
  }

  /// A name server that listens on all addresses leaves none for ours.
  private void names() {
    if (Ports.free("0.0.0.0", DNS_PORT)) {
      add("names", Mark.GOOD, "doctor.names", DNS_PORT);
    } else {
      add("names", Mark.WARNING, "doctor.names.held", DNS_PORT, Ports.holder(DNS_PORT).orElse("?"));
    }
  }

  private void rules() {
    long left =
        NetworkSnapshot.now().rules().stream()
            .filter(line -> line.contains("KUBE-") || line.contains(" fairlead-"))
            .count();
    if (left > 0) {
      add("rules", Mark.WARNING, "doctor.rules.left", left);
    } else {
      add("rules", Mark.GOOD, "doctor.rules.none");
    }
  }

  private void add(String row, Mark mark, String key, Object... values) {
    findings.add(new DoctorFinding(row, mark, context.text(key, values)));
  }
}
