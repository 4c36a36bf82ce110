package io.fairlead.dns.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;

/// The addresses of this machine.
final class MultihomedAddresses {
  private static final int MOST = 8;

  private MultihomedAddresses() {}

  /// Those a wildcard socket might confuse: all that other hosts can reach, in a family that has
  /// more than one. A reply from such a socket leaves from an address the kernel chooses, not from
  /// the one the question came to. None when there are very many.
  static List<InetAddress> ambiguous() throws IOException {
    List<InetAddress> reachable =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
            .distinct()
            .toList();
    List<InetAddress> ambiguous = new ArrayList<>();
    for (int length : List.of(4, 16)) {
      List<InetAddress> family =
          reachable.stream().filter(each -> each.getAddress().length == length).toList();
      if (family.size() > 1) {
        ambiguous.addAll(family);
      }
    }
    return ambiguous.size() > MOST ? List.of() : ambiguous;
  }
}
