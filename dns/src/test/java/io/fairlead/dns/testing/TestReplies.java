package io.fairlead.dns.testing;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.List;

/// Replies as an upstream would give them, and replies as text.
public final class TestReplies {
  private TestReplies() {}

  public static ResourceRecord a(String name, int ttl, String address) {
    return ResourceRecord.address(Name.of(name), ttl, IpAddress.parse(address));
  }

  public static ResourceRecord cname(String name, int ttl, String target) {
    return ResourceRecord.in(Name.of(name), ttl, RecordData.cname(Name.of(target)));
  }

  public static ResourceRecord soa(String zone, int ttl, int minimum) {
    return ResourceRecord.in(
        Name.of(zone),
        ttl,
        new RecordData.Soa(
            Name.of("ns." + zone), Name.of("host." + zone), 1, 7200, 1800, 86400, minimum));
  }

  public static Reply found(ResourceRecord... records) {
    return Reply.of("forward", Rcode.NOERROR).withFlags(Header.RA).withAnswer(List.of(records));
  }

  public static Reply denied(int rcode, ResourceRecord... authority) {
    return Reply.of("forward", rcode).withFlags(Header.RA).withAuthority(List.of(authority));
  }

  /// `NOERROR; answer...; / authority...; > additional...`, in the order of the reply.
  public static String text(Reply reply) {
    List<String> parts = new ArrayList<>();
    parts.add(Rcode.name(reply.rcode()));
    reply.answer().forEach(each -> parts.add(each.toString()));
    reply.authority().forEach(each -> parts.add("/ " + each));
    reply.additional().forEach(each -> parts.add("> " + each));
    return String.join("; ", parts);
  }
}
