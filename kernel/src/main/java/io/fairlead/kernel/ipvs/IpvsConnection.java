package io.fairlead.kernel.ipvs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A connection that IPVS carries, as the kernel lists it in `/proc/net/ip_vs_conn`.
///
/// How it works: one line each with protocol, client, virtual server and real server, addresses in
/// hexadecimal (IPv4) or in colons (IPv6), ports in hexadecimal, then the state. A template, by
/// which persistence works, has the client port 0.
///
/// @param state such as `ESTABLISHED`
public record IpvsConnection(
    String protocol,
    InetSocketAddress client,
    InetSocketAddress virtual,
    InetSocketAddress real,
    String state) {
  private static final Path FILE = Path.of("/proc/thread-self/net/ip_vs_conn");
  private static final int FIELDS = 8;
  private static final int HEX = 16;

  /// The one with these ends; empty when there is none, and where the kernel has no IPVS.
  public static Optional<IpvsConnection> find(InetSocketAddress client, InetSocketAddress virtual) {
    String listed;
    try {
      listed = Files.readString(FILE);
    } catch (IOException _) {
      // No IPVS in this kernel, or not for this user.
      return Optional.empty();
    }
    return parse(listed).stream()
        .filter(each -> each.client().equals(client) && each.virtual().equals(virtual))
        .findFirst();
  }

  /// Whether the kernel has IPVS.
  public static boolean isAvailable() {
    return Files.exists(FILE);
  }

  /// What a listing has; lines that are not understood are left out.
  public static List<IpvsConnection> parse(String listing) {
    List<IpvsConnection> found = new ArrayList<>();
    for (String line : listing.split("\n")) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= FIELDS && words[2].matches("[0-9A-Fa-f]{4}")) {
        found.add(
            new IpvsConnection(
                words[0],
                place(words[1], words[2]),
                place(words[3], words[4]),
                place(words[5], words[6]),
                words[7]));
      }
    }
    return found;
  }

  private static InetSocketAddress place(String address, String port) {
    InetAddress parsed;
    if (address.indexOf(':') >= 0) {
      parsed = InetAddress.ofLiteral(address.replaceAll("^\\[|\\]$", ""));
    } else {
      long bits = Long.parseLong(address, HEX);
      parsed =
          InetAddress.ofLiteral(
              (bits >> 24 & 0xff)
                  + "."
                  + (bits >> 16 & 0xff)
                  + "."
                  + (bits >> 8 & 0xff)
                  + "."
                  + (bits & 0xff));
    }
    return new InetSocketAddress(parsed, Integer.parseInt(port, HEX));
  }
}
