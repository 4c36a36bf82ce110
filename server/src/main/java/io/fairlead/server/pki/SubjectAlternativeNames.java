package io.fairlead.server.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// Names and addresses that a serving certificate may need. Nothing here asks a name server.
final class SubjectAlternativeNames {
  /// Devices made by container networks and proxies: their addresses come and go.
  private static final Pattern VIRTUAL =
      Pattern.compile("(kube-|veth|cni|cali|flannel|vxlan|docker|br-|virbr|fl-|tun|tap|wg).*");

  /// A machine with more addresses than this is a router; name the needed ones with `--tls-san`.
  private static final int MOST = 16;

  private SubjectAlternativeNames() {}

  static boolean isLiteral(String text) {
    try {
      InetAddress.ofLiteral(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// One spelling for each address, so that `::1` and `0:0:0:0:0:0:0:1` are the same name.
  static String canonical(String name) {
    return isLiteral(name) ? InetAddress.ofLiteral(name).getHostAddress() : name;
  }

  /// The address after the network's own: where the `kubernetes` Service lives.
  static String firstServiceAddress(String cidr) {
    int slash = cidr.indexOf('/');
    byte[] network =
        InetAddress.ofLiteral(slash < 0 ? cidr : cidr.substring(0, slash)).getAddress();
    int prefix = slash < 0 ? network.length * 8 : Integer.parseInt(cidr.substring(slash + 1));
    int hostBits = network.length * 8 - prefix;
    BigInteger first =
        new BigInteger(1, network).shiftRight(hostBits).shiftLeft(hostBits).add(BigInteger.ONE);
    byte[] digits = first.toByteArray();
    byte[] address = new byte[network.length];
    int copied = Math.min(digits.length, address.length);
    System.arraycopy(digits, digits.length - copied, address, address.length - copied, copied);
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (IOException e) {
      throw new IllegalArgumentException("not a service range: " + cidr, e);
    }
  }

  /// This machine's name as the kernel knows it, or `localhost`.
  static String hostName() {
    try {
      String name =
          Files.readString(Path.of("/proc/sys/kernel/hostname"), StandardCharsets.ISO_8859_1)
              .strip();
      return name.isEmpty() || name.equals("(none)") ? "localhost" : name;
    } catch (IOException e) {
      return "localhost";
    }
  }

  /// The lasting addresses of this machine's network devices.
  static List<String> ofThisMachine() {
    List<String> found = new ArrayList<>();
    try {
      for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
        if (device.isUp()
            && !device.isLoopback()
            && !device.isPointToPoint()
            && !VIRTUAL.matcher(device.getName()).matches()) {
          device
              .inetAddresses()
              .filter(address -> !address.isLinkLocalAddress())
              .map(SubjectAlternativeNames::withoutZone)
              .forEach(found::add);
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return found.stream().sorted().limit(MOST).toList();
  }

  private static String withoutZone(InetAddress address) {
    String text = address.getHostAddress();
    int zone = address instanceof Inet6Address ? text.indexOf('%') : -1;
    return zone < 0 ? text : text.substring(0, zone);
  }

  /// Whether a server that listens there is reached under the machine's addresses too.
  static boolean isWildcard(String bindAddress) {
    return isLiteral(bindAddress)
        && Arrays.equals(
            InetAddress.ofLiteral(bindAddress).getAddress(),
            new byte[InetAddress.ofLiteral(bindAddress).getAddress().length]);
  }
}
