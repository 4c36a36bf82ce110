package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.PackedEndpoints;
import io.fairlead.dns.kubernetes.data.PortFacts;
import java.util.List;

/// Writes address and SRV records of a Service, its ports and its endpoints. Owned by one thread.
final class ServiceRecords {
  /// One entry's name, to be copied.
  private static final class Cursor implements ReplyBytes.NameSource {
    private PackedEndpoints endpoints = PackedEndpoints.NONE;
    private int entry;

    Cursor to(PackedEndpoints now, int place) {
      endpoints = now;
      entry = place;
      return this;
    }

    @Override
    public int length() {
      return endpoints.nameLength(entry);
    }

    @Override
    public void copyTo(byte[] target, int at) {
      endpoints.copyName(entry, target, at);
    }
  }

  private static final ReplyBytes.NameSource NO_LABELS =
      new ReplyBytes.NameSource() {
        @Override
        public int length() {
          return 0;
        }

        @Override
        public void copyTo(byte[] target, int at) {}
      };

  private static final int POINTERS_END = 0x4000;

  private final ReplyBytes reply;
  private final int ttl;
  private final boolean shuffle;
  private final Cursor name = new Cursor();
  // Where the name that all SRV targets end with stands first in the reply.
  private int suffixAt;
  // Where the target of each endpoint name stands, by its first entry; 0 for nowhere.
  private int[] targetAt = new int[16];

  ServiceRecords(ReplyBytes reply, AnswerOptions options) {
    this.reply = reply;
    this.ttl = options.ttl();
    this.shuffle = options.shuffle();
  }

  static ReplyBytes.NameSource noLabels() {
    return NO_LABELS;
  }

  /// A records, or AAAA.
  void addresses(CompiledService service, EndpointSelection selection, boolean ipv4) {
    boolean ready = selection.isAll() || (selection.endpoint() < 0 && !service.isHeadless());
    if (ready) {
      byte[] records = service.records(ipv4);
      if (records.length > 0) {
        reply.records(
            records, ipv4 ? CompiledService.A_LENGTH : CompiledService.AAAA_LENGTH, shuffle);
      }
      return;
    }
    PackedEndpoints endpoints = service.endpoints();
    if (selection.endpoint() >= 0) {
      for (int i = selection.endpoint(); i >= 0; i = endpoints.next(i)) {
        if (endpoints.isIpv4(i) == ipv4 && isFirst(endpoints, selection, i)) {
          address(endpoints, i, ipv4);
        }
      }
      return;
    }
    int from = ipv4 ? 0 : endpoints.firstIpv6();
    int count = (ipv4 ? endpoints.firstIpv6() : endpoints.size()) - from;
    int start = count > 1 ? reply.random(count) : 0;
    for (int i = 0; i < count && !reply.truncated(); i++) {
      int entry = from + (start + i) % count;
      if (selection.selects(endpoints, entry) && isFirst(endpoints, selection, entry)) {
        address(endpoints, entry, ipv4);
      }
    }
  }

  private void address(PackedEndpoints endpoints, int entry, boolean ipv4) {
    reply.address(ipv4, ttl, (target, at) -> endpoints.copyAddress(entry, target, at));
  }

  /// Whether no entry of the same name before it has the same address. The same address under two
  /// names counts twice only where names matter.
  private static boolean isFirst(
      PackedEndpoints endpoints, EndpointSelection selection, int entry) {
    for (int i = endpoints.head(entry); i >= 0 && i != entry; i = endpoints.next(i)) {
      if (endpoints.sameAddress(i, entry) && selection.selects(endpoints, i)) {
        return false;
      }
    }
    return true;
  }

  /// SRV records, and the addresses of their targets as far as they fit.
  void srv(CompiledService service, EndpointSelection selection, ReplyBytes.Tail zone) {
    suffixAt = 0;
    if (service.isHeadless() || selection.endpoint() >= 0) {
      endpointSrv(service, selection, zone);
    } else {
      clusterSrv(service, selection, zone);
    }
  }

  private void clusterSrv(
      CompiledService service, EndpointSelection selection, ReplyBytes.Tail zone) {
    List<PortFacts> ports = service.ports();
    List<IpAddress> addresses = service.clusterAddresses();
    int weight = weight(selection.count(ports) * addresses.size());
    int start = shuffle && ports.size() > 1 ? reply.random(ports.size()) : 0;
    for (int i = 0; i < ports.size(); i++) {
      int index = (start + i) % ports.size();
      PortFacts port = ports.get(index);
      if (selection.matches(port)
          && port.port() != PortFacts.NONE
          && !listedBefore(ports, index, selection)) {
        int place = reply.srv(ttl, weight, port.port(), NO_LABELS, service.labels(), zone);
        if (place < 0) {
          return;
        }
        suffixAt = suffixAt == 0 ? place : suffixAt;
      }
    }
    if (reply.answers() == 0) {
      return;
    }
    for (IpAddress address : addresses) {
      byte[] bytes = address.toBytes();
      reply.additional(
          NO_LABELS,
          suffixAt,
          address.isIpv4(),
          ttl,
          (target, at) -> System.arraycopy(bytes, 0, target, at, bytes.length));
    }
  }

  /// One SRV for each number: a port on UDP and on TCP is one.
  private static boolean listedBefore(
      List<PortFacts> ports, int index, EndpointSelection selection) {
    for (int i = 0; i < index; i++) {
      if (ports.get(i).port() == ports.get(index).port() && selection.matches(ports.get(i))) {
        return true;
      }
    }
    return false;
  }

  private void endpointSrv(
      CompiledService service, EndpointSelection selection, ReplyBytes.Tail zone) {
    PackedEndpoints endpoints = service.endpoints();
    int weight = weight(selection.pairs(endpoints));
    if (targetAt.length < endpoints.size()) {
      targetAt = new int[endpoints.size()];
    }
    if (selection.endpoint() >= 0) {
      group(service, selection, selection.endpoint(), weight, zone);
      groupAdditional(endpoints, selection, selection.endpoint());
      return;
    }
    int count = endpoints.size();
    int start = count > 1 ? reply.random(count) : 0;
    for (int i = 0; i < count; i++) {
      int entry = (start + i) % count;
      if (endpoints.isHead(entry) && !group(service, selection, entry, weight, zone)) {
        return;
      }
    }
    for (int i = 0; i < count && reply.answers() > 0; i++) {
      int entry = (start + i) % count;
      if (endpoints.isHead(entry) && !groupAdditional(endpoints, selection, entry)) {
        return;
      }
    }
  }

  /// The SRV records of one endpoint name. False when there is no more space.
  private boolean group(
      CompiledService service,
      EndpointSelection selection,
      int head,
      int weight,
      ReplyBytes.Tail zone) {
    PackedEndpoints endpoints = service.endpoints();
    name.to(endpoints, head);
    targetAt[head] = 0;
    for (int entry = head; entry >= 0; entry = endpoints.next(entry)) {
      List<PortFacts> ports = endpoints.ports(entry);
      for (int i = 0; i < ports.size(); i++) {
        PortFacts port = ports.get(i);
        if (!selection.matches(port)
            || port.port() == PortFacts.NONE
            || listedBefore(ports, i, selection)
            || listedBefore(endpoints, head, entry, port.port(), selection)) {
          continue;
        }
        int place = reply.srv(ttl, weight, port.port(), name, service.labels(), zone);
        if (place < 0) {
          return false;
        }
        suffixAt = suffixAt == 0 ? place + name.length() : suffixAt;
        targetAt[head] = place;
      }
    }
    return true;
  }

  private static boolean listedBefore(
      PackedEndpoints endpoints, int head, int entry, int number, EndpointSelection selection) {
    for (int i = head; i != entry; i = endpoints.next(i)) {
      List<PortFacts> ports = endpoints.ports(i);
      if (ports.equals(endpoints.ports(entry))) {
        return true;
      }
      for (PortFacts port : ports) {
        if (port.port() == number && selection.matches(port)) {
          return true;
        }
      }
    }
    return false;
  }

  /// The addresses of one endpoint name. Their owner points to the target, or as far as pointers
  /// reach to what all targets have in common.
  private boolean groupAdditional(
      PackedEndpoints endpoints, EndpointSelection selection, int head) {
    if (targetAt[head] == 0) {
      return true;
    }
    boolean near = targetAt[head] < POINTERS_END;
    ReplyBytes.NameSource labels = near ? NO_LABELS : name.to(endpoints, head);
    int suffix = near ? targetAt[head] : suffixAt;
    for (int entry = head; entry >= 0; entry = endpoints.next(entry)) {
      int current = entry;
      if (selection.selects(endpoints, entry)
          && isFirst(endpoints, selection, entry)
          && !reply.additional(
              labels,
              suffix,
              endpoints.isIpv4(entry),
              ttl,
              (target, at) -> endpoints.copyAddress(current, target, at))) {
        return false;
      }
    }
    return true;
  }

  private static int weight(int pairs) {
    return Math.max(1, 100 / Math.max(1, pairs));
  }
}
