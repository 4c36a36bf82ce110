package io.fairlead.app.command;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.hoststate.FixedSysctls;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceLock;
import io.fairlead.app.instance.ProcessFacts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Looks at the kernel settings that Services need, and can set them.
final class SettingsCheckup {
  private static final String ROW = "sysctls";

  /// A switch of the kernel that should be on.
  ///
  /// @param message what is lost while it is off
  /// @param who loses it
  private record Wanted(String name, String message, String who) {
    Wanted(String name, String message) {
      this(name, message, "");
    }
  }

  private static final List<Wanted> WANTED =
      List.of(
          new Wanted("net/ipv4/ip_forward", "doctor.sysctl.forward"),
          new Wanted("net/netfilter/nf_conntrack_acct", "doctor.sysctl.accounting"));

  private static final String BRIDGED = "doctor.sysctl.bridge";

  private static final String ON = "1";

  private final CommandContext context;
  private final DataDirectory directory;
  private final FixedSysctls settings;
  private final boolean mayChange;
  private final Bridges bridges;

  SettingsCheckup(CommandContext context, DataDirectory directory) {
    this(context, directory, new FixedSysctls(directory), ProcessFacts.mayBeNode(), Bridges.here());
  }

  /// @param mayChange whether this process has the rights to set them
  SettingsCheckup(
      CommandContext context,
      DataDirectory directory,
      FixedSysctls settings,
      boolean mayChange,
      Bridges bridges) {
    this.context = context;
    this.directory = directory;
    this.settings = settings;
    this.mayChange = mayChange;
    this.bridges = bridges;
  }

  /// One finding for each that this kernel has.
  List<DoctorFinding> run() {
    return Stream.concat(WANTED.stream(), bridged()).flatMap(this::look).toList();
  }

  /// Answers between two pods behind one bridge go past the rules that would turn them back, unless
  /// bridges are told to ask those.
  private Stream<Wanted> bridged() {
    return Stream.concat(
        bridged("net/bridge/bridge-nf-call-iptables", bridges.ipv4()),
        bridged("net/bridge/bridge-nf-call-ip6tables", bridges.ipv6()));
  }

  private static Stream<Wanted> bridged(String name, List<String> gateways) {
    return gateways.isEmpty()
        ? Stream.empty()
        : Stream.of(new Wanted(name, BRIDGED, String.join(", ", gateways)));
  }

  private Stream<DoctorFinding> look(Wanted wanted) {
    return settings.value(wanted.name()).map(value -> judged(wanted, value)).stream();
  }

  private DoctorFinding judged(Wanted wanted, String value) {
    String shown = shown(wanted, value);
    return value.equals(ON)
        ? new DoctorFinding(ROW, Mark.GOOD, shown)
        : new DoctorFinding(
            ROW,
            Mark.WARNING,
            context.text(wanted.message(), shown, wanted.who()),
            Optional.of(() -> set(wanted, value)));
  }

  private static String shown(Wanted wanted, String value) {
    return FixedSysctls.dotted(wanted.name()) + "=" + value;
  }

  private DoctorFinding set(Wanted wanted, String before) {
    String shown = shown(wanted, ON);
    if (!mayChange) {
      return new DoctorFinding("fixed", Mark.NOTHING, context.text("doctor.fix.dry", shown));
    }
    try {
      directory.prepare();
      // Makes the directory known as ours, for `down --purge`.
      InstanceLock.tryTake(directory).ifPresent(InstanceLock::close);
      settings.set(wanted.name(), ON);
      return new DoctorFinding(
          "fixed", Mark.GOOD, context.text("doctor.fix.sysctl", shown, before));
    } catch (IOException e) {
      return new DoctorFinding(
          "fixed",
          Mark.BAD,
          context.text("doctor.fix.failed", shown, String.valueOf(e.getMessage())));
    } catch (FairleadException e) {
      return new DoctorFinding("fixed", Mark.BAD, e.render(context.messages()).strip());
    }
  }
}
