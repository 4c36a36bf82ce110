package io.fairlead.proxy.ipvs;

import io.fairlead.proxy.node.SysctlFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The settings under `/proc/sys` this mode needs. What was there before is written down, so that
/// any later process can put it back.
///
/// @param record where it is written down, one `name value ours` a line; gone with the next boot,
///   as the settings are
public record IpvsSysctls(SysctlFiles sysctls, Path record) {
  private static final Logger log = LoggerFactory.getLogger(IpvsSysctls.class);
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
  private static final int UNREADABLE = Integer.MIN_VALUE;

  /// What was there, and what we made of it.
  private record Changed(int before, int ours) {}

  /// Sets what differs.
  void prepare(IpvsSettings settings) {
    Map<String, Changed> changed = read();
    wanted(settings)
        .forEach(
            (name, value) -> {
              int before = sysctls.read(name, UNREADABLE);
              if (before != value && sysctls.write(name, value) && before != UNREADABLE) {
                changed.merge(
                    name,
                    new Changed(before, value),
                    (first, now) -> new Changed(first.before, now.ours));
              }
            });
    write(changed);
  }

  private Map<String, Integer> wanted(IpvsSettings settings) {
    Map<String, Integer> wanted = new LinkedHashMap<>();
    // Without it netfilter does not see connections of IPVS and cannot masquerade them.
    wanted.put("net/ipv4/vs/conntrack", 1);
    if (reusesConnectionsBadly()) {
      wanted.put("net/ipv4/vs/conn_reuse_mode", 0);
    }
    wanted.put("net/ipv4/vs/expire_nodest_conn", 1);
    wanted.put("net/ipv4/vs/expire_quiescent_template", 1);
    wanted.put("net/ipv4/ip_forward", 1);
    if (settings.strictArp()) {
      wanted.put("net/ipv4/conf/all/arp_ignore", 1);
      wanted.put("net/ipv4/conf/all/arp_announce", 2);
    }
    return wanted;
  }

  /// From 4.1 up to 5.9 a client's port that comes again costs a second; later kernels are better
  /// left alone.
  private boolean reusesConnectionsBadly() {
    try {
      Matcher version =
          VERSION.matcher(Files.readString(sysctls.root().resolve("kernel/osrelease")));
      if (!version.matches()) {
        return false;
      }
      int number = Integer.parseInt(version.group(1)) * 1000 + Integer.parseInt(version.group(2));
      return number >= 4001 && number < 5009;
    } catch (IOException _) {
      return false;
    }
  }

  /// Puts back what no other program has changed since.
  void restore() {
    read()
        .forEach(
            (name, changed) -> {
              if (sysctls.read(name, changed.before) == changed.ours) {
                boolean _ = sysctls.write(name, changed.before);
              }
            });
    try {
      Files.deleteIfExists(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Changed> read() {
    Map<String, Changed> changed = new TreeMap<>();
    if (!Files.exists(record)) {
      return changed;
    }
    try {
      for (String line : Files.readAllLines(record)) {
        String[] words = line.split(" ");
        changed.put(words[0], new Changed(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
      }
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      log.atWarn()
          .addKeyValue("file", record)
          .addKeyValue("why", e.getMessage())
          .log("cannot read which settings of the kernel were changed");
    }
    return changed;
  }

  private void write(Map<String, Changed> changed) {
    StringBuilder text = new StringBuilder();
    changed.forEach(
        (name, value) ->
            text.append(name)
                .append(' ')
                .append(value.before)
                .append(' ')
                .append(value.ours)
                .append('\n'));
    try {
      if (!changed.isEmpty()) {
        Path directory = record.getParent();
        if (directory != null) {
          Files.createDirectories(directory);
        }
        Files.writeString(record, text);
      }
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("file", record)
          .addKeyValue("why", e.getMessage())
          .log("cannot write down which settings of the kernel were changed");
    }
  }
}
