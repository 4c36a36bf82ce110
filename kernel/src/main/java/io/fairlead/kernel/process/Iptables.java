package io.fairlead.kernel.process;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The iptables tools of one address family. They wait for the lock that all of them share; the
/// interface of the legacy variant to the kernel replaces whole tables, so going through the tools
/// is the only way not to race with other users.
///
/// @param family which tools
/// @param tool where they run
/// @param variant which of the two sorts
public record Iptables(Family family, CommandRunner tool, Variant variant) {
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

  /// The tools come in two sorts that do not see each other's rules, though the kernel obeys both.
  public enum Variant {
    /// Whatever the plain name is on this machine.
    INSTALLED(""),
    /// The one that speaks to the old interface of the kernel.
    LEGACY("-legacy"),
    /// The one that keeps the same rules in nf_tables.
    NFTABLES("-nft");

    private final String suffix;

    Variant(String suffix) {
      this.suffix = suffix;
    }
  }

  /// The tools that the plain names stand for.
  public Iptables(Family family, CommandRunner tool) {
    this(family, tool, Variant.INSTALLED);
  }

  private String program(String more) {
    return family.program + variant.suffix + more;
  }

  /// Whether this machine has the tools.
  public boolean isInstalled() {
    return CommandRunner.find(program("-save")).isPresent();
  }

  /// Applies a document of `iptables-restore`: each table in it at once or not at all. Chains the
  /// document does not name stay as they are.
  ///
  /// @param started gets the number of the process before it has read anything
  public CommandRunner.Result restore(String document, LongConsumer started) {
    return tool.run(
        document,
        List.of(program("-restore"), "-w", LOCK_WAIT, "--noflush", "--counters"),
        started);
  }

  /// Applies a document of `iptables-restore`.
  public CommandRunner.Result restore(String document) {
    return restore(document, _ -> {});
  }

  /// The rules of a table as `iptables-save` prints them.
  public CommandRunner.Result save(String table) {
    return tool.run("", List.of(program("-save"), "-t", table));
  }

  /// The same with the counters of every rule.
  public CommandRunner.Result saveWithCounters(String table) {
    return tool.run("", List.of(program("-save"), "-c", "-t", table));
  }

  /// One command, such as `-N CHAIN -t nat`.
  public CommandRunner.Result command(List<String> arguments) {
    return tool.run(
        "", Stream.concat(Stream.of(program(""), "-w", LOCK_WAIT), arguments.stream()).toList());
  }

  /// What the tool says of itself, such as `iptables v1.8.9 (nf_tables)`.
  public String version() {
    return tool.run("", List.of(program(""), "--version")).output().strip();
  }

  /// Whether rules end up in nf_tables, where its events tell of their changes.
  public boolean usesNftables() {
    return variant == Variant.NFTABLES || version().contains("nf_tables");
  }

  /// Which line of the document a failed {@link #restore} blames, when it says so.
  public static OptionalInt failedLine(CommandRunner.Result result) {
    Matcher matcher = FAILED_LINE.matcher(result.error());
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }
}
