package io.fairlead.insight.nodrop;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.kernel.syscall.SystemCallException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads it from this machine's table of tracked connections, which takes root. Without the right
/// every answer is empty. Used by one thread.
public final class ConntrackLookup implements EndpointLookup, AutoCloseable {
  private @Nullable Conntrack table;
  private boolean refused;

  @Override
  public Optional<String> find(InetSocketAddress client, InetSocketAddress front) {
    if (refused) {
      return Optional.empty();
    }
    try {
      Conntrack opened = table;
      if (opened == null) {
        opened = Conntrack.open();
        table = opened;
      }
      return opened
          .find(
              new ConntrackTuple(
                  client.getAddress(),
                  front.getAddress(),
                  ConntrackTuple.TCP,
                  client.getPort(),
                  front.getPort()))
          .filter(ConntrackEntry::destinationTranslated)
          .map(ConntrackLookup::replies);
    } catch (SystemCallException e) {
      refused = true;
      return Optional.empty();
    }
  }

  private static String replies(ConntrackEntry entry) {
    IpAddress address = IpAddress.ofBytes(entry.reply().source().getAddress());
    return address.isIpv4()
        ? address + ":" + entry.reply().sourcePort()
        : "[" + address + "]:" + entry.reply().sourcePort();
  }

  @Override
  public void close() {
    Conntrack opened = table;
    if (opened != null) {
      opened.close();
    }
  }
}
