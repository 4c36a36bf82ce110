package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.packet.ArpFrame;
import io.fairlead.kernel.packet.NeighbourFrame;
import io.fairlead.kernel.packet.NeighbourFrame.Ipv6Bits;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.work.Ticker;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Answers the neighbours on one interface, and tells of those who claim an address.
///
/// A request is answered when it asks for an address of ours and came to all or to us. Every frame
/// in which another machine names an address as its own is a claim: an answer, a gratuitous
/// announcement, or a request with it as the sender.
///
/// Called by the threads of the interface's port, one for each family.
final class AddressResponder implements NetworkSegment.FrameReceiver {
  /// Learns that a machine says an address is its own.
  interface ClaimListener {
    void claimed(IpAddress address, HardwareAddress by);
  }

  private final AnnounceInterface link;
  private final AnsweredAddresses answered;
  private final Supplier<Set<HardwareAddress>> own;
  private final ClaimListener claims;
  private final AnnounceCounters counters;
  private final Ticker ticker;
  private final AnswerLimit arpLimit = new AnswerLimit();
  private final AnswerLimit neighbourLimit = new AnswerLimit();
  private volatile NetworkSegment.@Nullable LinkPort port;

  /// @param own the hardware addresses of all interfaces of this machine
  AddressResponder(
      AnnounceInterface link,
      AnsweredAddresses answered,
      Supplier<Set<HardwareAddress>> own,
      ClaimListener claims,
      AnnounceCounters counters,
      Ticker ticker) {
    this.link = link;
    this.answered = answered;
    this.own = own;
    this.claims = claims;
    this.counters = counters;
    this.ticker = ticker;
  }

  /// Where answers go.
  void answerThrough(NetworkSegment.LinkPort open) {
    port = open;
  }

  @Override
  public void heard(ArpFrame frame) {
    boolean isOurs = own.get().contains(frame.senderHardware());
    if (frame.senderAddress() != 0 && !isOurs) {
      claims.claimed(ipv4(frame.senderAddress()), frame.senderHardware());
    }
    if (frame.operation() != ArpFrame.REQUEST
        || frame.senderAddress() == frame.targetAddress()
        || isOurs
        || !isForUs(frame.destination())) {
      return;
    }
    long now = ticker.nanos();
    if (answered.answers(ipv4(frame.targetAddress()), link.index(), now)) {
      counters.requested(IpAddress.Family.IPV4);
      NetworkSegment.LinkPort out = port;
      if (out != null && arpLimit.allows(now)) {
        out.send(frame.answeredBy(link.hardware()));
        counters.answered(IpAddress.Family.IPV4);
      }
    }
  }

  @Override
  public void heard(NeighbourFrame frame) {
    boolean isOurs = own.get().contains(frame.source());
    if (isOurs) {
      return;
    }
    if (frame.type() == NeighbourFrame.ADVERTISEMENT) {
      HardwareAddress by = frame.linkLayer();
      claims.claimed(ipv6(frame.target()), by == null ? frame.source() : by);
      return;
    }
    IpAddress source = link.linkLocal();
    long now = ticker.nanos();
    if (source != null && answered.answers(ipv6(frame.target()), link.index(), now)) {
      counters.requested(IpAddress.Family.IPV6);
      NetworkSegment.LinkPort out = port;
      if (out != null && neighbourLimit.allows(now)) {
        out.send(frame.answeredBy(link.hardware(), bits(source)));
        counters.answered(IpAddress.Family.IPV6);
      }
    }
  }

  private boolean isForUs(HardwareAddress destination) {
    return destination.equals(HardwareAddress.BROADCAST) || destination.equals(link.hardware());
  }

  /// Says to all neighbours that an address is here now.
  static void announce(AnnounceInterface link, NetworkSegment.LinkPort port, IpAddress address) {
    IpAddress source = link.linkLocal();
    if (address.isIpv4()) {
      int number = (int) address.low();
      port.send(ArpFrame.announcement(link.hardware(), number, ArpFrame.REQUEST));
      port.send(ArpFrame.announcement(link.hardware(), number, ArpFrame.REPLY));
    } else if (source != null) {
      port.send(NeighbourFrame.announcement(link.hardware(), bits(source), bits(address)));
    }
  }

  /// Asks who has an address, without claiming it.
  static void probe(AnnounceInterface link, NetworkSegment.LinkPort port, IpAddress address) {
    if (address.isIpv4()) {
      port.send(ArpFrame.probe(link.hardware(), (int) address.low()));
    } else {
      port.send(NeighbourFrame.probe(link.hardware(), bits(address)));
    }
  }

  private static IpAddress ipv4(int bits) {
    return IpAddress.ipv4(Integer.toUnsignedLong(bits));
  }

  private static IpAddress ipv6(Ipv6Bits bits) {
    return IpAddress.ipv6(bits.high(), bits.low());
  }

  private static Ipv6Bits bits(IpAddress address) {
    return new Ipv6Bits(address.high(), address.low());
  }
}
