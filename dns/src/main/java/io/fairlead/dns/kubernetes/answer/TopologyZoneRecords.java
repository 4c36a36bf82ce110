package io.fairlead.dns.kubernetes.answer;

import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.PackedEndpoints;
import io.fairlead.dns.kubernetes.data.PortFacts;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Names that mean the endpoints of one availability zone: `us-a.pin._zone.fleet.quay.svc`, and the
/// same with `prefer`, which means all when the zone has none (spec/dns.md 1.15). Owned by one
/// thread.
final class TopologyZoneRecords {
  private static final byte[] MARK = "_zone".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PIN = "pin".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PREFER = "prefer".getBytes(StandardCharsets.US_ASCII);

  private final ReplyBytes reply;
  private final int ttl;
  private String zone = "";
  private boolean all;

  TopologyZoneRecords(ReplyBytes reply, AnswerOptions options) {
    this.reply = reply;
    this.ttl = options.ttl();
  }

  /// @param left labels left of the cluster's zone
  NameLookupResult find(QueryView view, int left, CompiledService service) {
    int mark = left - 4;
    if (!view.labelIs(mark, MARK)) {
      return NameLookupResult.MISSING;
    }
    if (mark == 0) {
      return NameLookupResult.EMPTY;
    }
    boolean prefer = view.labelIs(mark - 1, PREFER);
    if (!prefer && !view.labelIs(mark - 1, PIN)) {
      return NameLookupResult.MISSING;
    }
    if (mark == 1) {
      return NameLookupResult.EMPTY;
    }
    int from = view.labelAt(0) + 1;
    zone = text(view, from, view.labelAt(mark - 1));
    boolean present = has(service.endpoints());
    all = prefer && !present;
    return present || prefer ? NameLookupResult.FOUND : NameLookupResult.EMPTY;
  }

  private static String text(QueryView view, int from, int end) {
    StringBuilder text = new StringBuilder();
    int at = from - 1;
    while (at < end) {
      int length = view.bytes()[at];
      if (!text.isEmpty()) {
        text.append('.');
      }
      text.append(new String(view.bytes(), at + 1, length, StandardCharsets.US_ASCII));
      at += length + 1;
    }
    return text.toString();
  }

  private boolean has(PackedEndpoints endpoints) {
    for (int i = 0; i < endpoints.size(); i++) {
      if (endpoints.zone(i).equalsIgnoreCase(zone)) {
        return true;
      }
    }
    return false;
  }

  private boolean selects(PackedEndpoints endpoints, int entry) {
    return all || endpoints.zone(entry).equalsIgnoreCase(zone);
  }

  /// Writes the records after a name was found.
  void write(int type, CompiledService service, ReplyBytes.Tail tail) {
    PackedEndpoints endpoints = service.endpoints();
    for (int i = 0; i < endpoints.size() && !reply.truncated(); i++) {
      int entry = i;
      if (!selects(endpoints, entry)) {
        continue;
      }
      if (type == RecordType.A || type == RecordType.AAAA) {
        if (endpoints.isIpv4(entry) == (type == RecordType.A)) {
          reply.address(
              endpoints.isIpv4(entry),
              ttl,
              (target, at) -> endpoints.copyAddress(entry, target, at));
        }
      } else if (type == RecordType.SRV) {
        srv(service, entry, tail);
      }
    }
  }

  private void srv(CompiledService service, int entry, ReplyBytes.Tail tail) {
    PackedEndpoints endpoints = service.endpoints();
    int pairs = 0;
    for (int i = 0; i < endpoints.size(); i++) {
      pairs += selects(endpoints, i) ? endpoints.ports(i).size() : 0;
    }
    List<PortFacts> ports = endpoints.ports(entry);
    for (PortFacts port : ports) {
      if (port.port() != PortFacts.NONE) {
        reply.srv(
            ttl,
            Math.max(1, 100 / pairs),
            port.port(),
            new ReverseRecords.Labels(endpoints, entry),
            service.labels(),
            tail);
      }
    }
  }
}
