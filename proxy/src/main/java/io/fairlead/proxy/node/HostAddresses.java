package io.fairlead.proxy.node;

import io.fairlead.api.net.IpAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/// The addresses and the name this machine has.
public final class HostAddresses {
  private HostAddresses() {}

  /// All addresses of its interfaces; empty when they cannot be read.
  public static List<IpAddress> now() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getAddress)
          .map(IpAddress::ofBytes)
          .distinct()
          .sorted()
          .toList();
    } catch (SocketException _) {
      return List.of();
    }
  }

  /// The machine's name in lower case.
  public static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      // The message begins with the name itself where only its address is unknown.
      String message = String.valueOf(e.getMessage());
      int colon = message.indexOf(':');
      return (colon < 0 ? message : message.substring(0, colon)).toLowerCase(Locale.ROOT);
    }
  }
}
