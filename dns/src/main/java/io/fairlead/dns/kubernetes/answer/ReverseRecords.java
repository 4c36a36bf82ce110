package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.Compiled;
import io.fairlead.dns.kubernetes.data.Endpoints;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.kubernetes.data.Tables;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordType;
import java.util.Arrays;

/// Writes PTR records. A cluster address leads to its Service; any other to the endpoints that have
/// it, one name for each Service. Owned by one thread.
final class ReverseRecords {
  private final ReplyBytes reply;
  private final Tables tables;
  private final int ttl;
  private final ReplyBytes.Tail primary;

  ReverseRecords(ReplyBytes reply, Tables tables, AnswerOptions options) {
    this.reply = reply;
    this.tables = tables;
    this.ttl = options.ttl();
    this.primary = ReplyBytes.Tail.of(options.primary());
  }

  /// Writes what a reverse name leads to. EMPTY means that the name is only the beginning of an
  /// address: whether there is one takes a longer look.
  Finding write(QueryView view) {
    ReverseNames.Prefix prefix = ReverseNames.read(view);
    if (prefix == null) {
      return Finding.MISSING;
    }
    if (!prefix.isWhole()) {
      return Finding.EMPTY;
    }
    boolean wanted = view.type() == RecordType.PTR;
    IpAddress address = prefix.address();
    for (ServiceCell cell : tables.clusterAddress(address)) {
      Compiled service = cell.visible();
      if (service != null) {
        if (wanted) {
          reply.ptr(ttl, ServiceRecords.noLabels(), service.labels(), primary);
        }
        return Finding.FOUND;
      }
    }
    boolean found = false;
    for (ServiceCell cell : tables.endpointAddress(address)) {
      Compiled service = cell.visible();
      if (service != null) {
        found = true;
        if (wanted) {
          endpoints(service, address);
        }
      }
    }
    return found ? Finding.FOUND : Finding.MISSING;
  }

  private void endpoints(Compiled service, IpAddress address) {
    Endpoints endpoints = service.endpoints();
    byte[] bytes = address.toBytes();
    int from = address.isIpv4() ? 0 : endpoints.firstIpv6();
    int end = address.isIpv4() ? endpoints.firstIpv6() : endpoints.size();
    byte[] candidate = new byte[bytes.length];
    for (int i = from; i < end; i++) {
      endpoints.copyAddress(i, candidate, 0);
      if (Arrays.equals(bytes, candidate) && isFirst(endpoints, i)) {
        reply.ptr(ttl, new Labels(endpoints, i), service.labels(), primary);
      }
    }
  }

  private static boolean isFirst(Endpoints endpoints, int entry) {
    for (int i = endpoints.head(entry); i >= 0 && i != entry; i = endpoints.next(i)) {
      if (endpoints.sameAddress(i, entry)) {
        return false;
      }
    }
    return true;
  }

  record Labels(Endpoints endpoints, int entry) implements ReplyBytes.NameSource {
    @Override
    public int length() {
      return endpoints.nameLength(entry);
    }

    @Override
    public void copyTo(byte[] target, int at) {
      endpoints.copyName(entry, target, at);
    }
  }
}
