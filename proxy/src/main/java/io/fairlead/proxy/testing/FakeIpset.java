package io.fairlead.proxy.testing;

import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.ipvs.IpsetRunner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// `ipset restore -exist` and `ipset save` in memory, for both families.
public final class FakeIpset implements IpsetRunner {
  /// @param line the line that made it
  private record Made(String line, Set<String> entries) {}

  private final Map<String, Made> sets = new LinkedHashMap<>();
  private int restores;

  /// How often the tool was run to change something.
  public int restores() {
    return restores;
  }

  @Override
  public void restore(String document) {
    restores++;
    for (String line : (Iterable<String>) document.lines()::iterator) {
      String[] words = line.split(" ");
      Made set = sets.get(words[1]);
      if (set == null && !words[0].equals("create")) {
        throw new DataPlaneException("ipset restore -exist: no set of the name " + words[1]);
      }
      switch (words[0]) {
        case "create" -> sets.putIfAbsent(words[1], new Made(line, new TreeSet<>()));
        case "destroy" -> sets.remove(words[1]);
        case "add" -> entries(words[1]).add(words[2]);
        case "del" -> entries(words[1]).remove(words[2]);
        default -> throw new DataPlaneException("ipset restore -exist: unknown line " + line);
      }
    }
  }

  private Set<String> entries(String name) {
    Made set = sets.get(name);
    return set == null ? Set.of() : set.entries;
  }

  @Override
  public String save() {
    StringBuilder text = new StringBuilder();
    sets.forEach(
        (name, set) -> {
          text.append(set.line).append(set.line.contains(" hash:") ? " bucketsize 12" : "");
          text.append('\n');
          set.entries.forEach(
              entry -> text.append("add ").append(name).append(' ').append(entry).append('\n'));
        });
    return text.toString();
  }
}
