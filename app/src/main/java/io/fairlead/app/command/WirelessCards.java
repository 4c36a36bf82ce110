package io.fairlead.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds out whether a machine reaches its network by wireless cards alone: there, broadcasts that
/// ask for load balancer addresses may not arrive.
final class WirelessCards {
  private WirelessCards() {}

  /// The names of the machine's cards when all are wireless; empty when one is not, or there is
  /// none.
  ///
  /// @param interfaces `/sys/class/net`
  static Optional<String> onlyOnes(Path interfaces) {
    try (Stream<Path> all = Files.list(interfaces)) {
      // What is made by the kernel alone, such as a bridge, belongs to no device.
      List<Path> cards = all.filter(each -> Files.exists(each.resolve("device"))).sorted().toList();
      return cards.isEmpty() || !cards.stream().allMatch(WirelessCards::isWireless)
          ? Optional.empty()
          : Optional.of(String.join(", ", cards.stream().map(WirelessCards::name).toList()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static boolean isWireless(Path card) {
    return Files.exists(card.resolve("wireless")) || Files.exists(card.resolve("phy80211"));
  }

  private static String name(Path card) {
    return String.valueOf(card.getFileName());
  }
}
