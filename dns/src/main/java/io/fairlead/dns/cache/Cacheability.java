package io.fairlead.dns.cache;

import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;
import java.util.Set;

/// What a cache makes of a reply.
enum Cacheability {
  /// Holds what was asked.
  SUCCESS,
  /// Says that there is nothing, with the SOA record that says for how long.
  DENIAL,
  /// A failure, kept for a moment so that it is not asked for again at once.
  FAILURE,
  /// Must not be kept.
  NEVER;

  /// Plugins that answer from data of our own, see the package.
  private static final Set<String> OWN_DATA =
      Set.of(
          "kubernetes", "k8s_external", "file", "auto", "hosts", "whoami", "chaos", "any", "acl");

  static Cacheability of(Query query, Reply reply) {
    if (OWN_DATA.contains(reply.plugin()) || reply.is(Header.TC)) {
      return NEVER;
    }
    boolean soa = hasSoa(reply.authority());
    return switch (reply.rcode()) {
      case Rcode.NOERROR -> {
        if (holds(query, reply.answer())) {
          yield SUCCESS;
        }
        if (soa) {
          yield DENIAL;
        }
        boolean delegation = reply.answer().isEmpty() && hasType(reply, RecordType.NS);
        yield delegation ? SUCCESS : NEVER;
      }
      case Rcode.NXDOMAIN -> soa ? DENIAL : NEVER;
      case Rcode.SERVFAIL, Rcode.NOTIMP -> FAILURE;
      default -> NEVER;
    };
  }

  /// The shortest time to live of all records; for a denial also the SOA's MINIMUM (RFC 2308).
  static int ttl(Cacheability verdict, Reply reply) {
    int least = Integer.MAX_VALUE;
    for (List<ResourceRecord> section :
        List.of(reply.answer(), reply.authority(), reply.additional())) {
      for (ResourceRecord each : section) {
        least = Math.min(least, each.ttl());
        if (verdict == DENIAL && each.data() instanceof RecordData.Soa soa) {
          least = Math.min(least, Math.max(0, soa.minimum()));
        }
      }
    }
    return least == Integer.MAX_VALUE ? 0 : least;
  }

  /// Whether the chain of aliases that begins at the asked name ends in what was asked.
  private static boolean holds(Query query, List<ResourceRecord> answer) {
    if (query.type() == RecordType.ANY) {
      return !answer.isEmpty();
    }
    Name at = query.name();
    for (int hops = 0; hops <= answer.size(); hops++) {
      Name alias = null;
      for (ResourceRecord each : answer) {
        if (!each.owner().equals(at)) {
          continue;
        }
        if (each.type() == query.type()) {
          return true;
        }
        if (each.data() instanceof RecordData.Target(int type, Name target)
            && type == RecordType.CNAME) {
          alias = target;
        }
      }
      if (alias == null) {
        return false;
      }
      at = alias;
    }
    return false;
  }

  private static boolean hasSoa(List<ResourceRecord> authority) {
    return authority.stream().anyMatch(each -> each.type() == RecordType.SOA);
  }

  private static boolean hasType(Reply reply, int type) {
    return reply.authority().stream().anyMatch(each -> each.type() == type);
  }
}
