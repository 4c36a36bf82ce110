package io.fairlead.dns.kubernetes;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.BlockSettings;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The addresses under which clients reach this process.
public final class OwnAddresses {
  private static final Logger log = LoggerFactory.getLogger(OwnAddresses.class);

  private OwnAddresses() {}

  /// Those the block is bound to, or those of the machine; loopback and link-local ones only when
  /// it has no others.
  public static List<IpAddress> of(BlockSettings settings) {
    List<IpAddress> all = settings.bind().isEmpty() ? machine() : bound(settings);
    List<IpAddress> reachable =
        all.stream()
            .filter(address -> !address.isLoopback() && !address.isLinkLocalUnicast())
            .toList();
    return reachable.isEmpty() ? all : reachable;
  }

  private static List<IpAddress> bound(BlockSettings settings) {
    List<IpAddress> addresses = new ArrayList<>();
    for (String text : settings.bind()) {
      IpAddress address = IpAddress.parseOrNull(text);
      if (address != null && !address.isUnspecified()) {
        addresses.add(address);
      }
    }
    return addresses.isEmpty() ? machine() : addresses;
  }

  private static List<IpAddress> machine() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getAddress)
          .map(IpAddress::ofBytes)
          .toList();
    } catch (SocketException e) {
      log.atWarn().setCause(e).log("cannot list the machine's addresses");
      return List.of();
    }
  }
}
