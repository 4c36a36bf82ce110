package io.fairlead.app.instance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// What the kernel says about processes, read from `/proc`.
public final class ProcessFacts {
  private static final Path PROC = Path.of("/proc");

  // CAP_NET_ADMIN and CAP_SYS_ADMIN, linux/capability.h
  private static final long NETWORK_RIGHTS = 1L << 12;
  private static final long NODE_RIGHTS = NETWORK_RIGHTS | 1L << 21;

  private ProcessFacts() {}

  /// The user id this process acts as.
  public static int effectiveUser() {
    try {
      return (Integer) Files.getAttribute(PROC.resolve("self"), "unix:uid");
    } catch (IOException e) {
      return -1;
    }
  }

  /// Whether this process is root with the rights over network and mounts that a node needs: root
  /// of a container often has neither.
  public static boolean mayBeNode() {
    return effectiveUser() == 0 && has(NODE_RIGHTS);
  }

  /// Whether this process may change rules, routes and addresses of its network namespace, as root
  /// or by the capability alone.
  public static boolean mayChangeNetwork() {
    return has(NETWORK_RIGHTS);
  }

  private static boolean has(long wanted) {
    try {
      return Files.readAllLines(PROC.resolve("self/status"), StandardCharsets.ISO_8859_1).stream()
          .filter(line -> line.startsWith("CapEff:"))
          .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(rights -> (rights & wanted) == wanted);
    } catch (IOException e) {
      return false;
    }
  }

  /// When a process started, in clock ticks since boot: with the pid it names one process for good,
  /// whatever happens to the wall clock. Empty when there is no such process.
  public static OptionalLong startTicks(long pid) {
    try {
      String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
      // The name in brackets may hold blanks: count fields behind it. Field 22 is the start time.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      boolean gone = fields[0].equals("Z") || fields[0].equals("X");
      return gone ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fields[19]));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /// The words of the command line of a process; empty when it is gone or not ours to see.
  public static Optional<String> commandLine(long pid) {
    try {
      String words = Files.readString(PROC.resolve(pid + "/cmdline"), StandardCharsets.ISO_8859_1);
      return words.isEmpty() ? Optional.empty() : Optional.of(words.replace('\0', ' ').strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// The short name of a process.
  static String name(long pid) {
    try {
      return Files.readString(PROC.resolve(pid + "/comm"), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "?";
    }
  }

  /// Resident memory in bytes.
  public static OptionalLong residentBytes(long pid) {
    try {
      return Files.readAllLines(PROC.resolve(pid + "/status"), StandardCharsets.ISO_8859_1).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
