package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Looks up the addresses of an upstream that is given by name, at resolvers that are given by
/// address.
final class HostLookup {
  private static final Duration TIME = Duration.ofSeconds(2);

  private HostLookup() {}

  /// Empty when no resolver knows any.
  static List<IpAddress> addresses(
      String host,
      List<UpstreamAddress> resolvers,
      UpstreamExchange exchange,
      InstanceContext instance) {
    List<IpAddress> found = new ArrayList<>();
    for (UpstreamAddress resolver : resolvers) {
      for (int type : new int[] {RecordType.A, RecordType.AAAA}) {
        Question question = new Question(Name.of(host), type, RecordClass.IN);
        int id = instance.random().nextInt(0x10000);
        DnsMessage query = DnsMessage.query(id, question, Header.RD, null);
        try {
          for (ResourceRecord each : exchange.ask(resolver, query, false, TIME).answer()) {
            if (each.data() instanceof RecordData.Address(IpAddress address)) {
              found.add(address);
            }
          }
        } catch (IOException e) {
          break;
        }
      }
      if (!found.isEmpty()) {
        return found;
      }
    }
    return found;
  }
}
