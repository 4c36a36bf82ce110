package io.fairlead.app.cli;

import java.util.Locale;
import java.util.Optional;

/// What can go wrong, by number. Each has the messages `FLnnn.what`, `.why`, `.next` and a help
/// page `.help` in both languages: 10x is a Service, 20x start-up, 30x configuration.
public enum Code {
  /// There is no such Service.
  FL100(Exit.COULD_NOT),
  /// A selector that matches no pod but nearly does; said by the API server in a warning.
  FL102(Exit.FAULT_FOUND),
  /// The DNS server does not answer.
  FL150(Exit.COULD_NOT),
  /// No JDK 25; said by the launcher script.
  FL200(Exit.PREFLIGHT_REFUSED),
  /// The mode of the proxy cannot be used on this machine.
  FL201(Exit.PREFLIGHT_REFUSED),
  /// The port is taken.
  FL202(Exit.PREFLIGHT_REFUSED),
  /// Another instance runs on this data directory.
  FL203(Exit.PREFLIGHT_REFUSED),
  /// The data directory cannot be used.
  FL204(Exit.PREFLIGHT_REFUSED),
  /// The store does not open.
  FL205(Exit.COULD_NOT),
  /// The background process ended before it was ready.
  FL206(Exit.COULD_NOT),
  /// Not ready in time.
  FL207(Exit.TIMED_OUT),
  /// Did not stop in time.
  FL208(Exit.TIMED_OUT),
  /// The kubeconfig cannot be read or written.
  FL209(Exit.COULD_NOT),
  /// A part did not start.
  FL210(Exit.COULD_NOT),
  /// The sources do not build; said by the launcher script.
  FL211(Exit.COULD_NOT),
  /// No `setsid`, so nothing can be left running in the background.
  FL212(Exit.PREFLIGHT_REFUSED),
  /// The process belongs to somebody else.
  FL213(Exit.COULD_NOT),
  /// Something was left behind.
  FL214(Exit.FAULT_FOUND),
  /// The API server cannot be reached.
  FL215(Exit.COULD_NOT),
  /// The API server does not let us in.
  FL216(Exit.COULD_NOT),
  /// No API server is named, or it does not answer a command.
  FL217(Exit.COULD_NOT),
  /// The DNS server cannot be set up.
  FL218(Exit.COULD_NOT),
  /// Something that was to be done with the files of a store could not be done.
  FL220(Exit.COULD_NOT),
  /// No proxy of this node takes orders.
  FL221(Exit.COULD_NOT),
  /// The mode of the proxy cannot be changed.
  FL222(Exit.COULD_NOT),
  /// Another instance is the node of this machine.
  FL223(Exit.PREFLIGHT_REFUSED),
  /// No lab can be made here.
  FL224(Exit.PREFLIGHT_REFUSED),
  /// There is no lab to step into.
  FL225(Exit.COULD_NOT),
  /// A node needs rights that this process has not.
  FL226(Exit.PREFLIGHT_REFUSED),
  /// An address to listen on that this machine does not have.
  FL227(Exit.PREFLIGHT_REFUSED),
  /// Unknown verb.
  FL300(Exit.USAGE),
  /// Unknown flag.
  FL301(Exit.USAGE),
  /// A flag without its value.
  FL302(Exit.USAGE),
  /// A value that does not fit.
  FL303(Exit.USAGE),
  /// A file that a flag names cannot be read.
  FL304(Exit.USAGE),
  /// Flags that need or exclude each other.
  FL305(Exit.USAGE),
  /// An unknown help topic.
  FL306(Exit.USAGE),
  /// An operand too many.
  FL307(Exit.USAGE),
  /// A missing operand.
  FL308(Exit.USAGE),
  /// A configuration that cannot be used.
  FL309(Exit.USAGE),
  /// A file with flags that cannot be used.
  FL310(Exit.USAGE);

  private final int exit;

  Code(int exit) {
    this.exit = exit;
  }

  /// The exit code that goes with it.
  public int exit() {
    return exit;
  }

  /// The code a user means by `FL202` or `fl202`.
  public static Optional<Code> parse(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    for (Code code : values()) {
      if (code.name().equals(name)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
