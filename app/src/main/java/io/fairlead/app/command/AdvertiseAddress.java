package io.fairlead.app.command;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;

/// Which address of this machine to tell others.
final class AdvertiseAddress {
  private AdvertiseAddress() {}

  /// An address of this interface is for this machine alone, also one that looks like any other.
  private static boolean isLoopback(NetworkInterface device) {
    try {
      return device.isLoopback();
    } catch (SocketException e) {
      return false;
    }
  }

  /// The address listened on, or, when that is all of them, the first that is not loopback.
  static String advertised(String bindAddress) {
    if (!bindAddress.equals("0.0.0.0") && !bindAddress.equals("::")) {
      return bindAddress;
    }
    try {
      return NetworkInterface.networkInterfaces()
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .filter(device -> !isLoopback(device))
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .filter(address -> bindAddress.equals("::") || address.getAddress().length == 4)
          .map(InetAddress::getHostAddress)
          .findFirst()
          .orElse("127.0.0.1");
    } catch (SocketException e) {
      return "127.0.0.1";
    }
  }
}
