package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.List;

/// Reads the `nameserver` lines of a file such as `/etc/resolv.conf`; everything else is passed
/// over.
final class ResolvConfNameservers {
  private ResolvConfNameservers() {}

  static List<IpAddress> read(String text) {
    List<IpAddress> servers = new ArrayList<>();
    for (String line : text.split("\n")) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= 2 && words[0].equals("nameserver")) {
        String address = words[1];
        int zone = address.indexOf('%');
        IpAddress parsed = IpAddress.parseOrNull(zone < 0 ? address : address.substring(0, zone));
        if (parsed != null) {
          servers.add(parsed);
        }
      }
    }
    return servers;
  }
}
