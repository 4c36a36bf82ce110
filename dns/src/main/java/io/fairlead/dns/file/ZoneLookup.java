package io.fairlead.dns.file;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One question to one zone, answered as RFC 1034 section 4.3.2 says. Used once, by one thread.
///
/// How it works: from the zone's apex down to the name, a delegation or a DNAME record on the way
/// decides; then the name itself, then the wildcard at its closest existing ancestor. An alias
/// starts again at its target: here while that lies in the zone, through the server otherwise.
final class ZoneLookup {
  private static final int MOST_ALIASES = 16;

  private final Zone zone;
  private final Query query;
  private final Handler resolver;
  private final List<ResourceRecord> answer = new ArrayList<>();
  private final Set<Name> visited = new HashSet<>();
  private boolean left;

  ZoneLookup(Zone zone, Query query, Handler resolver) {
    this.zone = zone;
    this.query = query;
    this.resolver = resolver;
  }

  Reply run() {
    return at(query.name());
  }

  /// Whether an alias led to records that are not the zone's. They are asked for only when the
  /// query may block.
  boolean leftTheZone() {
    return left;
  }

  private Reply at(Name name) {
    if (!visited.add(name) || visited.size() > MOST_ALIASES) {
      return finish(Rcode.NOERROR, List.of(), List.of());
    }
    if (!name.isUnder(zone.origin())) {
      return outside(name);
    }
    int depth = name.labelCount() - zone.origin().labelCount();
    for (int above = depth; above >= 0; above--) {
      Name node = name.skip(above);
      boolean apex = above == depth;
      List<ResourceRecord> delegation = zone.at(node, RecordType.NS);
      boolean dsAtCut = above == 0 && query.type() == RecordType.DS;
      if (!apex && !delegation.isEmpty() && !dsAtCut) {
        return referral(delegation);
      }
      List<ResourceRecord> redirect = zone.at(node, RecordType.DNAME);
      if (above > 0 && !redirect.isEmpty()) {
        return redirected(name, node, redirect.getFirst());
      }
    }
    if (zone.exists().contains(name)) {
      return node(name, name);
    }
    Name wildcard = wildcard(name);
    return wildcard == null
        ? finish(Rcode.NXDOMAIN, List.of(zone.negative()), List.of())
        : node(name, wildcard);
  }

  private @Nullable Name wildcard(Name name) {
    Name closest = name.parent();
    while (!zone.exists().contains(closest) && !closest.equals(zone.origin())) {
      closest = closest.parent();
    }
    Name wildcard = Name.of("*").append(closest);
    return wildcard != null && zone.nodes().containsKey(wildcard) ? wildcard : null;
  }

  /// @param source where the records stand; a wildcard, or the name itself
  private Reply node(Name name, Name source) {
    List<ResourceRecord> alias = zone.at(source, RecordType.CNAME);
    boolean wantsAlias = query.type() == RecordType.CNAME || query.type() == RecordType.ANY;
    if (!alias.isEmpty() && !wantsAlias) {
      answer.add(alias.getFirst().withOwner(name));
      return at(target(alias.getFirst()));
    }
    List<ResourceRecord> found =
        query.type() == RecordType.ANY ? zone.all(source) : zone.at(source, query.type());
    if (found.isEmpty()) {
      return finish(Rcode.NOERROR, List.of(zone.negative()), List.of());
    }
    found.forEach(each -> answer.add(each.withOwner(name)));
    List<ResourceRecord> servers =
        query.type() == RecordType.NS ? List.of() : zone.at(zone.origin(), RecordType.NS);
    return finish(Rcode.NOERROR, servers, glue(found));
  }

  private static Name target(ResourceRecord alias) {
    return ((RecordData.Target) alias.data()).name();
  }

  private Reply redirected(Name name, Name node, ResourceRecord redirect) {
    answer.add(redirect);
    Name target = name.without(node).append(target(redirect));
    if (target == null) {
      return finish(Rcode.YXDOMAIN, List.of(), List.of());
    }
    answer.add(ResourceRecord.in(name, redirect.ttl(), RecordData.cname(target)));
    return query.type() == RecordType.CNAME
        ? finish(Rcode.NOERROR, List.of(), List.of())
        : at(target);
  }

  private Reply referral(List<ResourceRecord> delegation) {
    boolean ours = !answer.isEmpty();
    return new Reply(
        Rcode.NOERROR,
        ours ? Header.AA : 0,
        answer,
        delegation,
        glue(delegation),
        List.of(),
        null,
        "file");
  }

  private Reply outside(Name name) {
    left = true;
    if (!query.mayBlock()) {
      return finish(Rcode.SERVFAIL, List.of(), List.of());
    }
    Question question = new Question(name, query.type(), RecordClass.IN);
    DnsAnswer rest = resolver.handle(query.nested(question));
    if (rest instanceof Reply reply) {
      answer.addAll(reply.answer());
      return finish(reply.rcode(), reply.authority(), List.of());
    }
    return finish(Rcode.SERVFAIL, List.of(), List.of());
  }

  /// Addresses, from this zone, of the names that records point to.
  private List<ResourceRecord> glue(List<ResourceRecord> records) {
    List<ResourceRecord> glue = new ArrayList<>();
    for (ResourceRecord each : records) {
      Name target =
          switch (each.data()) {
            case RecordData.Mx mx -> mx.exchange();
            case RecordData.Srv srv -> srv.target();
            case RecordData.Target(int type, Name name) when type == RecordType.NS -> name;
            default -> null;
          };
      if (target != null) {
        glue.addAll(zone.at(target, RecordType.A));
        glue.addAll(zone.at(target, RecordType.AAAA));
      }
    }
    return glue.stream().distinct().toList();
  }

  private Reply finish(int rcode, List<ResourceRecord> authority, List<ResourceRecord> additional) {
    return new Reply(rcode, Header.AA, answer, authority, additional, List.of(), null, "file");
  }
}
