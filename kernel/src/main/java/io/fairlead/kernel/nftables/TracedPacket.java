package io.fairlead.kernel.nftables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The way of one packet: its events in order.
///
/// How it works: the kernel makes the number of a trace from the address of the packet's buffer, so
/// packets that follow each other can have the same one. A packet is known by that number, its
/// identification and its TCP sequence number; the first event of each base chain has the headers
/// these are in, and one that says otherwise begins another packet.
///
/// @param headers as the first event shows them
public record TracedPacket(PacketHeaders headers, List<NftEvent.Traced> events) {
  public TracedPacket {
    events = List.copyOf(events);
  }

  /// The headers in the last event that has some: where the packet goes after all translations.
  public PacketHeaders lastHeaders() {
    return events.reversed().stream()
        .filter(event -> event.networkHeader().length() > 0)
        .findFirst()
        .map(event -> PacketHeaders.of(event.networkHeader(), event.transportHeader()))
        .orElse(headers);
  }

  /// The headers an event shows; those of the packet where it shows none.
  public PacketHeaders headersAt(NftEvent.Traced event) {
    return event.networkHeader().length() == 0
        ? headers
        : PacketHeaders.of(event.networkHeader(), event.transportHeader());
  }

  /// Events of one packet that are still being gathered.
  private record Gathering(PacketHeaders headers, List<NftEvent.Traced> events) {}

  /// Sorts events by packet, packets in the order in which they came. Events before the first with
  /// headers are left out: they belong to a packet whose beginning was not seen.
  public static List<TracedPacket> group(List<NftEvent.Traced> events) {
    List<Gathering> packets = new ArrayList<>();
    Map<Integer, Gathering> open = new HashMap<>();
    for (NftEvent.Traced event : events) {
      Gathering packet = open.get(event.packet());
      if (event.networkHeader().length() > 0) {
        PacketHeaders headers = PacketHeaders.of(event.networkHeader(), event.transportHeader());
        if (packet == null || !packet.headers().isOfOnePacket(headers)) {
          packet = new Gathering(headers, new ArrayList<>());
          packets.add(packet);
          open.put(event.packet(), packet);
        }
      }
      if (packet != null) {
        packet.events().add(event);
      }
    }
    return packets.stream()
        .map(packet -> new TracedPacket(packet.headers(), packet.events()))
        .toList();
  }
}
