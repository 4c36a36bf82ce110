package io.fairlead.kernel.process;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The iptables tools of one address family. They wait for the lock that all of them share; the
/// interface of the legacy variant to the kernel replaces whole tables, so going through the tools
/// is the only way not to race with other users.
///
/// @param family which tools
/// @param tool where they run
public record Iptables(Family family, Tool tool) {
  /// How long, in seconds, to wait for the lock.
  private static final String LOCK_WAIT = "5";

  /// Exit status for "the lock is held, or the kernel lacks a resource": worth another try.
  public static final int EXIT_RESOURCE = 4;

  private static final Pattern FAILED_LINE = Pattern.compile("line (\\d+) failed");

  public enum Family {
    IPV4("iptables"),
    IPV6("ip6tables");

    private final String program;

    Family(String program) {
      this.program = program;
    }
  }

  /// Applies a document of `iptables-restore`: each table in it at once or not at all. Chains the
  /// document does not name are left alone.
  public Tool.Result restore(String document) {
    return tool.run(
        document, List.of(family.program + "-restore", "-w", LOCK_WAIT, "--noflush", "--counters"));
  }

  /// The rules of a table as `iptables-save` prints them.
  public Tool.Result save(String table) {
    return tool.run("", List.of(family.program + "-save", "-t", table));
  }

  /// One command, such as `-N CHAIN -t nat`.
  public Tool.Result command(List<String> arguments) {
    return tool.run(
        "", Stream.concat(Stream.of(family.program, "-w", LOCK_WAIT), arguments.stream()).toList());
  }

  /// What the tool says of itself, such as `iptables v1.8.9 (nf_tables)`.
  public String version() {
    return tool.run("", List.of(family.program, "--version")).output().strip();
  }

  /// Which line of the document a failed {@link #restore} blames, when it says so.
  public static OptionalInt failedLine(Tool.Result result) {
    Matcher matcher = FAILED_LINE.matcher(result.error());
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }
}
