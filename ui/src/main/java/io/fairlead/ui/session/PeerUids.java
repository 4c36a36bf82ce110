package io.fairlead.ui.session;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/// Which user of this machine is at the other end of a loopback connection.
///
/// How it works: both ends of it are sockets of this machine, and the kernel's table of TCP sockets
/// has the owner of each. Ports are shared by all users of a machine, and so are cookies. A peer
/// may come from any address of the machine, not from loopback alone, and one that has closed its
/// socket already stands there as root's without an inode: neither may pass for another user.
@FunctionalInterface
public interface PeerUids {
  /// Knows no owner, where the table is not at hand.
  PeerUids UNKNOWN = (_, _) -> OptionalInt.empty();

  /// The owner of the socket at that address with us as its peer; empty where that cannot be told.
  OptionalInt of(SocketAddress peer, SocketAddress own);

  /// Reads the table of this process's network namespace.
  static PeerUids ofKernel() {
    return (peer, own) ->
        peer instanceof InetSocketAddress from && own instanceof InetSocketAddress to
            ? look(from, to)
            : OptionalInt.empty();
  }

  private static OptionalInt look(InetSocketAddress from, InetSocketAddress to) {
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      boolean mapped = table.endsWith("6");
      String wanted = shown(from, mapped) + " " + shown(to, mapped) + " ";
      try (BufferedReader lines =
          Files.newBufferedReader(Path.of(table), StandardCharsets.US_ASCII)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.contains(wanted)) {
            String[] columns = line.strip().split("\\s+");
            String uid = columns[7];
            String inode = columns[9];
            return inode.equals("0") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(uid));
          }
        }
      } catch (IOException | NumberFormatException e) {
        return OptionalInt.empty();
      }
    }
    return OptionalInt.empty();
  }

  /// As the table has it: words of four bytes in the byte order of the machine, in hexadecimal.
  private static String shown(InetSocketAddress at, boolean wide) {
    byte[] bytes = wide ? wide(at.getAddress()) : at.getAddress().getAddress();
    StringBuilder text = new StringBuilder();
    boolean little = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;
    for (int word = 0; word < bytes.length; word += 4) {
      for (int i = 0; i < 4; i++) {
        text.append(String.format(Locale.ROOT, "%02X", bytes[word + (little ? 3 - i : i)]));
      }
    }
    return text.append(String.format(Locale.ROOT, ":%04X", at.getPort())).toString();
  }

  /// An IPv4 address as a socket of both families shows it.
  private static byte[] wide(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 16) {
      return bytes;
    }
    byte[] wide = new byte[16];
    wide[10] = (byte) 0xff;
    wide[11] = (byte) 0xff;
    System.arraycopy(bytes, 0, wide, 12, bytes.length);
    return wide;
  }
}
