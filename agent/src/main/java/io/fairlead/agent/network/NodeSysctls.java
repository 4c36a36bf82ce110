package io.fairlead.agent.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/// Sets kernel settings of the node's namespace and remembers in a file what they were, so that
/// they can be put back, also by another process.
final class NodeSysctls {
  private static final Path ROOT = Path.of("/proc/sys");

  private final HostNamespace host;
  private final Path record;

  NodeSysctls(HostNamespace host, Path record) {
    this.host = host;
    this.record = record;
  }

  /// Sets one, `net/ipv4/ip_forward`; nothing when it has that value or does not exist.
  void set(String name, String value) {
    Path file = ROOT.resolve(name);
    String before = host.call(() -> Files.exists(file) ? Files.readString(file).strip() : value);
    if (before.equals(value)) {
      return;
    }
    Properties known = read();
    if (!known.containsKey(name)) {
      known.setProperty(name, before);
      write(known);
    }
    host.call(() -> Files.writeString(file, value));
  }

  /// Lets packets in that come another way than answers would go, where either of these settings
  /// forbids it; the first is set.
  void loosen(String all, String usual) {
    if (strict(all) || strict(usual)) {
      set(all, "2");
    }
  }

  private boolean strict(String name) {
    Path file = ROOT.resolve(name);
    return host.call(() -> Files.exists(file) && Files.readString(file).strip().equals("1"));
  }

  /// Puts everything back and forgets it.
  void restore() {
    Properties known = read();
    for (String name : known.stringPropertyNames()) {
      host.call(() -> Files.writeString(ROOT.resolve(name), known.getProperty(name)));
    }
    try {
      Files.deleteIfExists(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Properties read() {
    Properties known = new Properties();
    if (Files.exists(record)) {
      try (var in = Files.newBufferedReader(record)) {
        known.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return known;
  }

  private void write(Properties known) {
    try (var out = Files.newBufferedWriter(record)) {
      known.store(out, "what the kernel settings were before");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
