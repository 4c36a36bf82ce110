package io.fairlead.app.cli;

import java.util.Locale;
import java.util.Optional;

/// What can go wrong, by number. Each has the messages `FLnnn.what`, `.why`, `.next` and a help
/// page `.help` in both languages: 10x is a Service, 20x start-up, 30x configuration, 40x a load
/// balancer.
public enum ErrorCode {
  /// There is no such Service.
  FL100(ExitCode.COULD_NOT),
  /// A selector that matches no pod but nearly does; said by the API server in a warning.
  FL102(ExitCode.FAULT_FOUND),
  /// A port that a Service does not have.
  FL125(ExitCode.FAULT_FOUND),
  /// The DNS server does not answer.
  FL150(ExitCode.COULD_NOT),
  /// A Service without an address of its own to call.
  FL155(ExitCode.FAULT_FOUND),
  /// A connection that policies deny; said by the node that dropped it.
  FL160(ExitCode.FAULT_FOUND),
  /// An address of a node's pod range that no known pod has.
  FL164(ExitCode.FAULT_FOUND),
  /// A connection that a new policy ended.
  FL165(ExitCode.FAULT_FOUND),
  /// A policy that applies to no pod.
  FL166(ExitCode.FAULT_FOUND),
  /// A name of a port that no selected pod has.
  FL167(ExitCode.FAULT_FOUND),
  /// An address that two pods claim.
  FL168(ExitCode.FAULT_FOUND),
  /// Policies that nothing enforces.
  FL169(ExitCode.FAULT_FOUND),
  /// A node that cannot trace, or that does not let this user.
  FL195(ExitCode.COULD_NOT),
  /// A node whose proxy does not say how far its rules are.
  FL198(ExitCode.COULD_NOT),
  /// No JDK 25; said by the launcher script.
  FL200(ExitCode.PREFLIGHT_REFUSED),
  /// The mode of the proxy cannot be used on this machine.
  FL201(ExitCode.PREFLIGHT_REFUSED),
  /// The port is taken.
  FL202(ExitCode.PREFLIGHT_REFUSED),
  /// Another instance runs on this data directory.
  FL203(ExitCode.PREFLIGHT_REFUSED),
  /// The data directory cannot be used.
  FL204(ExitCode.PREFLIGHT_REFUSED),
  /// The store does not open.
  FL205(ExitCode.COULD_NOT),
  /// The background process ended before it was ready.
  FL206(ExitCode.COULD_NOT),
  /// Not ready in time.
  FL207(ExitCode.TIMED_OUT),
  /// Did not stop in time.
  FL208(ExitCode.TIMED_OUT),
  /// The kubeconfig cannot be read or written.
  FL209(ExitCode.COULD_NOT),
  /// A part did not start.
  FL210(ExitCode.COULD_NOT),
  /// The sources do not build; said by the launcher script.
  FL211(ExitCode.COULD_NOT),
  /// No `setsid`, so nothing can be left running in the background.
  FL212(ExitCode.PREFLIGHT_REFUSED),
  /// The process belongs to another user.
  FL213(ExitCode.COULD_NOT),
  /// Something was left behind.
  FL214(ExitCode.FAULT_FOUND),
  /// The API server cannot be reached.
  FL215(ExitCode.COULD_NOT),
  /// The API server does not let us in.
  FL216(ExitCode.COULD_NOT),
  /// No API server is named, or it does not answer a command.
  FL217(ExitCode.COULD_NOT),
  /// The DNS server cannot be set up.
  FL218(ExitCode.COULD_NOT),
  /// Something that was to be done with the files of a store could not be done.
  FL220(ExitCode.COULD_NOT),
  /// No proxy of this node takes orders.
  FL221(ExitCode.COULD_NOT),
  /// The mode of the proxy cannot be changed.
  FL222(ExitCode.COULD_NOT),
  /// Another instance is the node of this machine.
  FL223(ExitCode.PREFLIGHT_REFUSED),
  /// No lab can be made here.
  FL224(ExitCode.PREFLIGHT_REFUSED),
  /// There is no lab to step into.
  FL225(ExitCode.COULD_NOT),
  /// A node needs rights that this process has not.
  FL226(ExitCode.PREFLIGHT_REFUSED),
  /// An address to listen on that this machine does not have.
  FL227(ExitCode.PREFLIGHT_REFUSED),
  /// An archive cannot be written.
  FL228(ExitCode.COULD_NOT),
  /// The web page is not served.
  FL229(ExitCode.COULD_NOT),
  /// Cleaning up needs rights that this process has not.
  FL230(ExitCode.PREFLIGHT_REFUSED),
  /// No Service can be made of a workload.
  FL231(ExitCode.COULD_NOT),
  /// A data directory that another user has closed.
  FL232(ExitCode.COULD_NOT),
  /// An exception that no code expects.
  FL299(ExitCode.COULD_NOT),
  /// Unknown verb.
  FL300(ExitCode.USAGE),
  /// Unknown flag.
  FL301(ExitCode.USAGE),
  /// A flag without its value.
  FL302(ExitCode.USAGE),
  /// A value that does not fit.
  FL303(ExitCode.USAGE),
  /// A file that a flag names cannot be read.
  FL304(ExitCode.USAGE),
  /// Flags that need or exclude each other.
  FL305(ExitCode.USAGE),
  /// An unknown help topic.
  FL306(ExitCode.USAGE),
  /// An operand too many.
  FL307(ExitCode.USAGE),
  /// A missing operand.
  FL308(ExitCode.USAGE),
  /// A configuration that cannot be used.
  FL309(ExitCode.USAGE),
  /// A file with flags that cannot be used.
  FL310(ExitCode.USAGE),
  /// No load balancer address is free; said in an event of the Service.
  FL400(ExitCode.FAULT_FOUND),
  /// A load balancer address was asked for that is in no pool the Service may use.
  FL401(ExitCode.FAULT_FOUND),
  /// Another machine has a load balancer address; said by the node that found out.
  FL402(ExitCode.FAULT_FOUND),
  /// No node announces a load balancer address.
  FL403(ExitCode.FAULT_FOUND),
  /// A load balancer address that only this machine routes.
  FL404(ExitCode.FINE),
  /// A load balancer address that another Service holds.
  FL405(ExitCode.FAULT_FOUND),
  /// A pool of load balancer addresses that cannot be used.
  FL406(ExitCode.FAULT_FOUND),
  /// A pool on the command line that cannot be used.
  FL407(ExitCode.PREFLIGHT_REFUSED),
  /// A router does not hear a node; said by the node that talks to it.
  FL408(ExitCode.FAULT_FOUND);

  private final int exit;

  ErrorCode(int exit) {
    this.exit = exit;
  }

  /// The exit code that goes with it.
  public int exit() {
    return exit;
  }

  /// The code a user means by `FL202` or `fl202`.
  public static Optional<ErrorCode> parse(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    for (ErrorCode code : values()) {
      if (code.name().equals(name)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
