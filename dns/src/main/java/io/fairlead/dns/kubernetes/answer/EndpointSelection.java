package io.fairlead.dns.kubernetes.answer;

import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.PackedEndpoints;
import io.fairlead.dns.kubernetes.data.PortFacts;
import java.util.List;

/// Which part of a Service a name means: all of it, one endpoint (all entries of a name), or one
/// port. Owned by one thread and used again for every query.
final class EndpointSelection {
  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;
  private int portAt;
  private int protocolAt;
  private int endpoint;

  void all() {
    portAt = 0;
    endpoint = -1;
  }

  void endpoint(int head) {
    portAt = 0;
    endpoint = head;
  }

  void port(byte[] packet, int port, int protocol) {
    bytes = packet;
    portAt = port;
    protocolAt = protocol;
    endpoint = -1;
  }

  /// Whether it is the whole Service.
  boolean isAll() {
    return portAt == 0 && endpoint < 0;
  }

  /// The first entry of the one endpoint that is meant; -1 when all are.
  int endpoint() {
    return endpoint;
  }

  boolean matches(PortFacts port) {
    return portAt == 0 || port.matches(bytes, portAt, protocolAt);
  }

  /// How many ports of a list are meant.
  int count(List<PortFacts> ports) {
    if (portAt == 0) {
      return ports.size();
    }
    int count = 0;
    for (int i = 0; i < ports.size(); i++) {
      if (matches(ports.get(i))) {
        count++;
      }
    }
    return count;
  }

  /// Whether the Service has anything of what is meant.
  boolean exists(CompiledService service) {
    if (portAt == 0) {
      return true;
    }
    if (!service.isHeadless()) {
      return count(service.ports()) > 0;
    }
    List<List<PortFacts>> sets = service.endpoints().portSets();
    for (int i = 0; i < sets.size(); i++) {
      if (count(sets.get(i)) > 0) {
        return true;
      }
    }
    return false;
  }

  /// Pairs of an entry and a port that are meant: what SRV weights are shared among.
  int pairs(PackedEndpoints endpoints) {
    int pairs = 0;
    if (endpoint >= 0) {
      for (int entry = endpoint; entry >= 0; entry = endpoints.next(entry)) {
        pairs += count(endpoints.ports(entry));
      }
      return pairs;
    }
    if (endpoints.portSets().size() == 1) {
      return endpoints.size() * count(endpoints.ports(0));
    }
    for (int entry = 0; entry < endpoints.size(); entry++) {
      pairs += count(endpoints.ports(entry));
    }
    return pairs;
  }

  /// Whether any port of an entry is meant.
  boolean selects(PackedEndpoints endpoints, int entry) {
    return portAt == 0 || count(endpoints.ports(entry)) > 0;
  }
}
