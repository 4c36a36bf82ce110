package io.fairlead.dns.kubernetes;

import io.fairlead.dns.wire.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The search list of this machine, which pods have behind the cluster's domains.
final class HostSearchList {
  private static final Logger log = LoggerFactory.getLogger(HostSearchList.class);
  private static final Path FILE = Path.of("/etc/resolv.conf");

  private HostSearchList() {}

  static List<Name> read() {
    try {
      return parse(Files.readAllLines(FILE));
    } catch (IOException e) {
      log.atDebug().setCause(e).log("no search list of the machine");
      return List.of();
    }
  }

  /// The last `search` line counts.
  static List<Name> parse(List<String> lines) {
    List<Name> found = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.strip().split("\\s+");
      if (words[0].equals("search")) {
        found.clear();
        for (int i = 1; i < words.length; i++) {
          Name name = Name.parseOrNull(words[i]);
          if (name != null && !name.isRoot()) {
            found.add(name);
          }
        }
      }
    }
    return found;
  }
}
