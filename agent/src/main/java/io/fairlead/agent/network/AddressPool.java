package io.fairlead.agent.network;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Gives out the addresses of one range, one file each, as the `host-local` plugin of CNI keeps
/// them: the file's name is the address, its first line the holder. Addresses are given in turn,
/// and one that was freed less than [#REST] ago only when no other is free: nodes that have not
/// seen the old pod go would take the new one for it. Guarded by its own lock; one per directory.
public final class AddressPool {
  /// How long an address rests.
  static final Duration REST = Duration.ofSeconds(10);

  private final Path directory;
  private final Cidr range;
  private final String last;
  private final Ticker ticker;
  // In the order they were freed.
  private final Map<IpAddress, Long> freed = new LinkedHashMap<>();

  /// @param number of the range among those of the node
  public AddressPool(Path directory, Cidr range, int number, Ticker ticker) {
    this.directory = directory;
    this.range = range.masked();
    this.ticker = ticker;
    this.last = "last_reserved_ip." + number;
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Cidr range() {
    return range;
  }

  /// The address of the node in its pods' eyes: the first of the range.
  public IpAddress gateway() {
    return gateway(range);
  }

  /// The same of any range of pods.
  public static IpAddress gateway(Cidr range) {
    return range.masked().at(1);
  }

  /// Takes a free address for a holder.
  ///
  /// @throws RuntimeFailure when there is none
  public synchronized IpAddress take(String holder) {
    long first = 2;
    long size = Math.min(range.size(), 1L << 16);
    // The last address of an IPv4 range is for broadcasts.
    long beyond = range.address().isIpv4() ? size - 1 : size;
    long from = Math.max(first, lastOffset() + 1);
    Set<IpAddress> resting = resting();
    for (long step = 0; step < beyond - first; step++) {
      IpAddress address = range.at(first + (from - first + step) % (beyond - first));
      if (!resting.contains(address) && takes(address, holder)) {
        return address;
      }
    }
    for (IpAddress address : resting) {
      if (takes(address, holder)) {
        return address;
      }
    }
    throw new RuntimeFailure(
        "ContainerCreating",
        "failed to allocate for range 0: no IP addresses available in range set: "
            + range.at(1)
            + "-"
            + range.at(Math.max(1, beyond - 1)));
  }

  /// Freed a moment ago, the longest ago first.
  private Set<IpAddress> resting() {
    long now = ticker.nanos();
    freed.values().removeIf(since -> now - since >= REST.toNanos());
    return new LinkedHashSet<>(freed.keySet());
  }

  /// Takes an address if no other holder has it.
  private boolean takes(IpAddress address, String holder) {
    try {
      Files.writeString(
          directory.resolve(address.toString()),
          holder + "\r\neth0",
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE);
      Files.writeString(directory.resolve(last), address.toString());
      freed.remove(address);
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long lastOffset() {
    try {
      IpAddress address = IpAddress.parseOrNull(Files.readString(directory.resolve(last)).strip());
      return address == null || !range.contains(address) ? 1 : range.offsetOf(address);
    } catch (IOException e) {
      return 1;
    }
  }

  /// Frees what a holder has.
  public synchronized void free(String holder) {
    forEach(
        (file, address, held) -> {
          if (held.equals(holder)) {
            rest(file, address);
          }
        });
  }

  /// Frees everything whose holder is of a kind and not among these.
  public synchronized void keepOnly(Set<String> holders, Predicate<String> kind) {
    forEach(
        (file, address, held) -> {
          if (kind.test(held) && !holders.contains(held)) {
            rest(file, address);
          }
        });
  }

  /// Frees everything of all ranges kept in a directory.
  static void forgetAll(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      files.toList().forEach(AddressPool::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Each {
    void held(Path file, IpAddress address, String holder);
  }

  private void forEach(Each each) {
    try (Stream<Path> files = Files.list(directory)) {
      Set<Path> all = files.collect(Collectors.toSet());
      for (Path file : all) {
        @Nullable IpAddress address = IpAddress.parseOrNull(String.valueOf(file.getFileName()));
        if (address != null && range.contains(address)) {
          each.held(file, address, Files.readString(file).lines().findFirst().orElse(""));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void rest(Path file, IpAddress address) {
    delete(file);
    freed.remove(address);
    freed.put(address, ticker.nanos());
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
