package io.fairlead.app.command;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.text.Phrase;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.LinkKind;
import io.fairlead.kernel.route.Rtnetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A machine inside the machine: a node for a user who is not root.
///
/// How it works: a new *user namespace* makes its maker root, but only over namespaces made inside
/// it. So the process gets a network and mounts of its own, with `/run` empty, where it may do what
/// a node does. Nothing of it can be seen from outside, and all of it vanishes with the last
/// process inside. Others enter with `nsenter`.
public final class Lab {
  private static final String UNSHARE = "unshare";
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final List<String> NAMESPACES =
      List.of("--user", "--map-root-user", "--net", "--mount");
  private static final String OWN_RUN = "mount -t tmpfs tmpfs /run && exec \"$@\"";
  private static final String OWN_DIRECTORY = "cd -- \"$1\" || cd /; shift; exec \"$@\"";
  private static final String CABLE = "lab0";
  private static final String ADDRESS = "172.30.255.1/30";

  private Lab() {}

  /// Words that, put before a command, run it in a new lab.
  static List<String> around(CommandContext context) {
    List<String> words = new ArrayList<>();
    words.add(program(UNSHARE, context));
    words.addAll(NAMESPACES);
    words.addAll(List.of("--", "sh", "-c", OWN_RUN, "sh"));
    return words;
  }

  /// Words that run a class of this program in a new lab, as what `up --lab` leaves behind runs.
  public static List<String> program(CommandContext context, String classPath, Class<?> main) {
    List<String> words = new ArrayList<>(around(context));
    words.addAll(Launch.quick(classPath, main));
    return words;
  }

  /// Refuses when this machine lets its users make none.
  public static void check(CommandContext context) {
    List<String> words = new ArrayList<>(around(context));
    words.set(0, UNSHARE);
    words.add("true");
    try {
      CommandRunner.Result tried = CommandRunner.here(LIMIT).run("", words);
      if (!tried.succeeded()) {
        throw new FairleadException(ErrorCode.FL224, tried.error().strip());
      }
    } catch (CommandRunnerException e) {
      throw new FairleadException(ErrorCode.FL224, e, String.valueOf(e.getMessage()));
    }
  }

  /// Makes the network inside a machine's: loopback, and a card that leads nowhere, for the node to
  /// have an address. Called inside, before anything else.
  static void prepare() {
    try (Rtnetlink network = Rtnetlink.open()) {
      network.setUp(network.link("lo").map(Link::index).orElseThrow(), true);
      if (network.link(CABLE).isEmpty()) {
        network.addLink(CABLE, new LinkKind.Veth("lab1", null));
        int index = network.link(CABLE).map(Link::index).orElseThrow();
        network.addAddress(index, IpPrefix.parse(ADDRESS));
        network.setUp(index, true);
        network.setUp(network.link("lab1").map(Link::index).orElseThrow(), true);
      }
    }
  }

  /// Remembers that the instance of a directory runs in a lab, or that it does not.
  static void mark(DataDirectory directory, boolean lab) {
    try {
      if (lab) {
        Files.writeString(directory.lab(), "");
      } else {
        Files.deleteIfExists(directory.lab());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether the instance of a directory runs in a lab that this process is not in.
  static boolean isElsewhere(DataDirectory directory, InstanceRecord instance) {
    return Files.exists(directory.lab())
        && !namespace("self").equals(namespace(String.valueOf(instance.pid())));
  }

  private static String namespace(String process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", process, "ns", "net")).toString();
    } catch (IOException e) {
      return "";
    }
  }

  /// Words that, put before a command, run it in the lab of a process, in the directory of the
  /// caller: but for `/run` the lab has the files of the machine.
  static List<String> inside(InstanceRecord instance, CommandContext context) {
    return List.of(
        program("nsenter", context),
        "--target=" + instance.pid(),
        "--user",
        "--preserve-credentials",
        "--net",
        "--mount",
        "--",
        "sh",
        "-c",
        OWN_DIRECTORY,
        "sh",
        Path.of("").toAbsolutePath().toString());
  }

  private static String program(String name, CommandContext context) {
    Optional<Path> found = Programs.find(name, context.environment());
    return found
        .map(Path::toString)
        .orElseThrow(
            () -> new FairleadException(ErrorCode.FL224, Phrase.of("why.noprogram", name)));
  }
}
