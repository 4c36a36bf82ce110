package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.ClusterTables;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.PackedEndpoints;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordType;
import java.util.Arrays;

/// Writes PTR records. A cluster address leads to its Service; any other to the endpoints that have
/// it, one name for each Service. Owned by one thread.
final class ReverseRecords {
  private final ReplyBytes reply;
  private final ClusterTables tables;
  private final int ttl;
  private final ReplyBytes.Tail primary;

  ReverseRecords(ReplyBytes reply, ClusterTables tables, AnswerOptions options) {
    this.reply = reply;
    this.tables = tables;
    this.ttl = options.ttl();
    this.primary = ReplyBytes.Tail.of(options.primary());
  }

  /// Writes what a reverse name leads to. EMPTY means that the name is only the beginning of an
  /// address: whether there is one takes the slow path.
  NameLookupResult write(QueryView view) {
    ReverseNameParser.Prefix prefix = ReverseNameParser.read(view);
    if (prefix == null) {
      return NameLookupResult.MISSING;
    }
    if (!prefix.isWhole()) {
      return NameLookupResult.EMPTY;
    }
    boolean wanted = view.type() == RecordType.PTR;
    IpAddress address = prefix.address();
    for (ServiceCell cell : tables.clusterAddress(address)) {
      CompiledService service = cell.visible();
      if (service != null) {
        if (wanted) {
          reply.ptr(ttl, ServiceRecords.noLabels(), service.labels(), primary);
        }
        return NameLookupResult.FOUND;
      }
    }
    boolean found = false;
    for (ServiceCell cell : tables.endpointAddress(address)) {
      CompiledService service = cell.visible();
      if (service != null) {
        found = true;
        if (wanted) {
          endpoints(service, address);
        }
      }
    }
    return found ? NameLookupResult.FOUND : NameLookupResult.MISSING;
  }

  private void endpoints(CompiledService service, IpAddress address) {
    PackedEndpoints endpoints = service.endpoints();
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

  private static boolean isFirst(PackedEndpoints endpoints, int entry) {
    for (int i = endpoints.head(entry); i >= 0 && i != entry; i = endpoints.next(i)) {
      if (endpoints.sameAddress(i, entry)) {
        return false;
      }
    }
    return true;
  }

  record Labels(PackedEndpoints endpoints, int entry) implements ReplyBytes.NameSource {
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
