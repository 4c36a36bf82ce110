package io.fairlead.dns.loadbalance;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.FileWatch;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.wire.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Weights of addresses by name, from a file: a name on a line of its own, then lines `ADDRESS
/// WEIGHT`.
final class AddressWeights implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AddressWeights.class);
  private static final int MOST = 255;

  private final Path file;
  private final Duration reload;
  private final InstanceContext instance;
  private volatile Map<Name, Map<IpAddress, Integer>> weights;
  private @Nullable FileWatch watch;

  AddressWeights(Path file, Duration reload, InstanceContext instance) throws IOException {
    this.file = file;
    this.reload = reload;
    this.instance = instance;
    this.weights = read(Files.readString(file));
  }

  void start() {
    watch = new FileWatch(file, reload, instance.pacer(), this::load);
  }

  private void load() {
    try {
      weights = read(Files.readString(file));
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("keeping the old weights");
    }
  }

  static Map<Name, Map<IpAddress, Integer>> read(String text) throws IOException {
    Map<Name, Map<IpAddress, Integer>> all = new HashMap<>();
    Map<IpAddress, Integer> current = null;
    int number = 0;
    for (String line : text.split("\n")) {
      number++;
      String[] words = line.strip().split("\\s+");
      if (words[0].isEmpty() || words[0].startsWith("#")) {
        continue;
      }
      if (words.length == 1) {
        Name name = Name.parseOrNull(words[0]);
        if (name == null) {
          throw new IOException("line " + number + ": '" + words[0] + "' is no domain name");
        }
        current = all.computeIfAbsent(name, _ -> new HashMap<>());
        continue;
      }
      IpAddress address = IpAddress.parseOrNull(words[0]);
      int weight = weight(words[1]);
      if (current == null || address == null || weight == 0 || words.length > 2) {
        throw new IOException(
            "line " + number + ": expected ADDRESS WEIGHT (1 to " + MOST + ") below a name");
      }
      current.put(address, weight);
    }
    return all;
  }

  /// 0 when the text is no weight.
  private static int weight(String text) {
    boolean number = text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int weight = number && !text.isEmpty() ? Integer.parseInt(text) : 0;
    return weight > MOST ? 0 : weight;
  }

  /// 1 for an address without one.
  int of(Name name, IpAddress address) {
    return weights.getOrDefault(name, Map.of()).getOrDefault(address, 1);
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
