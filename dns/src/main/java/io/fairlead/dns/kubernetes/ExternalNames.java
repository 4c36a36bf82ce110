package io.fairlead.dns.kubernetes;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Follows Services of type ExternalName to where they lead (spec/dns.md 1.5): the CNAME always
/// comes along, and code and SOA are those of the chain's end.
final class ExternalNames {
  /// What the chain needs to know of our own names.
  interface OwnNames {
    /// The name a Service of type ExternalName stands for; empty for any other name.
    Optional<Name> target(Name name);

    /// Whether a name lies in one of our zones.
    boolean isOurs(Name name);

    /// The answer from our own data, external names apart.
    Reply answer(Query query);

    /// An empty answer with the SOA record of the name's zone.
    Reply noData(Name name);
  }

  private static final int LONGEST_CHAIN = 11;

  private final OwnNames names;
  private final Handler resolver;
  private final int ttl;

  ExternalNames(OwnNames names, Handler resolver, int ttl) {
    this.names = names;
    this.resolver = resolver;
    this.ttl = ttl;
  }

  /// The answer for a name that is such a Service.
  Reply follow(Query query, Name first) {
    List<ResourceRecord> chain = new ArrayList<>();
    Set<Name> seen = new HashSet<>();
    Name owner = query.name();
    Name target = first;
    while (true) {
      if (!seen.add(owner) || seen.contains(target) || chain.size() == LONGEST_CHAIN) {
        // Round and round it goes: the name exists and has nothing.
        return names.noData(query.name());
      }
      chain.add(ResourceRecord.in(owner, ttl, RecordData.cname(target)));
      if (!names.isOurs(target)) {
        return joined(chain, resolver.handle(query.nested(question(query, target))));
      }
      Optional<Name> next = names.target(target);
      if (next.isEmpty()) {
        return joined(chain, names.answer(query.withQuestion(question(query, target))));
      }
      owner = target;
      target = next.get();
    }
  }

  private static Question question(Query query, Name name) {
    return new Question(name, query.type(), query.question().recordClass());
  }

  private static Reply joined(List<ResourceRecord> chain, DnsAnswer end) {
    Reply last =
        end instanceof Reply reply
            ? reply
            : Reply.failed("kubernetes", Rcode.SERVFAIL, "no answer about " + chain.getLast());
    List<ResourceRecord> answer = new ArrayList<>(chain);
    answer.addAll(last.answer());
    boolean negative = last.answer().stream().allMatch(each -> each.type() == RecordType.CNAME);
    return new Reply(
        last.rcode(),
        Header.AA | (last.flags() & Header.TC),
        answer,
        negative ? last.authority() : List.of(),
        last.additional(),
        last.options(),
        last.failure(),
        "kubernetes");
  }
}
