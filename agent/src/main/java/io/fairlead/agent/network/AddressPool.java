package io.fairlead.agent.network;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Gives out the addresses of one range, one file each, as the `host-local` plugin of CNI keeps
/// them: the file's name is the address, its first line the holder. Addresses are given in turn, so
/// that one that was freed is used again late. Guarded by its own lock; one per directory.
public final class AddressPool {
  private final Path directory;
  private final Cidr range;
  private final String last;

  /// @param number of the range among those of the node
  public AddressPool(Path directory, Cidr range, int number) {
    this.directory = directory;
    this.range = range.masked();
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
    for (long step = 0; step < beyond - first; step++) {
      long offset = first + (from - first + step) % (beyond - first);
      IpAddress address = range.at(offset);
      try {
        Files.writeString(
            directory.resolve(address.toString()),
            holder + "\r\neth0",
            java.nio.file.StandardOpenOption.CREATE_NEW,
            java.nio.file.StandardOpenOption.WRITE);
        Files.writeString(directory.resolve(last), address.toString());
        return address;
      } catch (FileAlreadyExistsException _) {
        // Taken: the next one.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new RuntimeFailure(
        "ContainerCreating",
        "failed to allocate for range 0: no IP addresses available in range set: "
            + range.at(1)
            + "-"
            + range.at(Math.max(1, beyond - 1)));
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
        (file, held) -> {
          if (held.equals(holder)) {
            delete(file);
          }
        });
  }

  /// Frees everything whose holder is of a kind and not among these.
  public synchronized void keepOnly(Set<String> holders, Predicate<String> kind) {
    forEach(
        (file, held) -> {
          if (kind.test(held) && !holders.contains(held)) {
            delete(file);
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
    void held(Path file, String holder);
  }

  private void forEach(Each each) {
    try (Stream<Path> files = Files.list(directory)) {
      Set<Path> all = files.collect(Collectors.toSet());
      for (Path file : all) {
        @Nullable IpAddress address = IpAddress.parseOrNull(String.valueOf(file.getFileName()));
        if (address != null && range.contains(address)) {
          each.held(file, Files.readString(file).lines().findFirst().orElse(""));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
