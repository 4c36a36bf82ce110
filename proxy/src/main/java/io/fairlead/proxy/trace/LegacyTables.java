package io.fairlead.proxy.trace;

import io.fairlead.kernel.nftables.LoggedPacket;
import io.fairlead.kernel.nftables.PacketLogListener;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rules of the legacy variant of iptables, and what they say about a traced packet.
///
/// How it works: these tables read the same flag of a packet that an nftables trace sets, and log
/// each rule that matched through the logger of the address family. That is a sysctl; while a trace
/// runs it is `nfnetlink_log`, whose group 0 is listened to, and afterwards what it was before.
final class LegacyTables implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String LOGGER = "nfnetlink_log";
  private static final int GROUP = 0;
  private static final int HEADERS = 128;
  private static final List<String> TABLES = List.of("nat", "filter");

  private final Path setting;
  private final String before;
  private final PacketLogListener listener;
  private final List<LoggedPacket> logged = new ArrayList<>();

  /// @param setting where the logger of the family is named
  private LegacyTables(Path setting) throws IOException {
    this.setting = setting;
    this.before = Files.readString(setting).strip();
    // It loads the logger, so it comes before the name is set.
    this.listener = PacketLogListener.start(GROUP, HEADERS, this::add, () -> {});
    try {
      Files.writeString(setting, LOGGER);
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /// Listens, if this node has rules of a proxy in legacy tables; empty when it has none, or when
  /// the log is another process's.
  static Optional<LegacyTables> listen(boolean ipv4) {
    if (rules(ipv4).isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new LegacyTables(Path.of("/proc/sys/net/netfilter/nf_log", ipv4 ? "2" : "10")));
    } catch (IOException | SystemCallException _) {
      return Optional.empty();
    }
  }

  /// The rules of each chain, by table and name; none when no proxy wrote any.
  static Map<String, List<String>> rules(boolean ipv4) {
    Map<String, List<String>> rules = new HashMap<>();
    // The tool makes a table by looking at it, which a mere question should not do.
    Path names = Path.of("/proc/thread-self/net", ipv4 ? "ip_tables_names" : "ip6_tables_names");
    Iptables tool =
        new Iptables(
            ipv4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6,
            CommandRunner.here(LIMIT),
            Iptables.Variant.LEGACY);
    try {
      List<String> present = Files.readAllLines(names);
      for (String table : TABLES) {
        if (present.contains(table) && tool.isInstalled()) {
          read(table, tool.save(table).output(), rules);
        }
      }
    } catch (IOException | CommandRunnerException _) {
      return Map.of();
    }
    return rules.keySet().stream().anyMatch(chain -> chain.contains(" KUBE-")) ? rules : Map.of();
  }

  /// Takes rules from what `iptables-save` printed.
  static void read(String table, String saved, Map<String, List<String>> rules) {
    for (String line : saved.split("\n")) {
      if (line.startsWith("-A ")) {
        String chain =
            line.substring(3, line.indexOf(' ', 3) < 0 ? line.length() : line.indexOf(' ', 3));
        rules.computeIfAbsent(table + " " + chain, _ -> new ArrayList<>()).add(line);
      }
    }
  }

  private void add(LoggedPacket packet) {
    synchronized (logged) {
      if (packet.prefix().startsWith("TRACE: ")) {
        logged.add(packet);
      }
    }
  }

  /// What was logged of packets from a port: the rules that the first one met.
  List<LoggedPacket> of(int port) {
    synchronized (logged) {
      return logged.stream().filter(each -> each.sourcePort() == port).toList();
    }
  }

  @Override
  public void close() {
    try {
      Files.writeString(setting, before);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      listener.close();
    }
  }
}
