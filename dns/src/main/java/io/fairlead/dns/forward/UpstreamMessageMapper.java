package io.fairlead.dns.forward;

import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Turns a client's query into one of our own, and the answer to that into the client's.
///
/// The id is new, and letters of the name are upper or lower case by chance: a server repeats them,
/// so a sender of forged answers has to guess them as well. Options that concern only one
/// connection (cookies, keepalive, padding) stay on it.
final class UpstreamMessageMapper {
  private static final Set<Integer> HOP_BY_HOP =
      Set.of(EdnsOption.COOKIE, EdnsOption.TCP_KEEPALIVE, EdnsOption.PADDING);
  private static final int PASSED_ON = Header.RD | Header.CD | Header.AD;

  private UpstreamMessageMapper() {}

  static DnsMessage query(Query query, RandomGenerator random) {
    Question asked = query.question();
    Question question =
        new Question(randomCase(asked.name(), random), asked.type(), asked.recordClass());
    return DnsMessage.query(
        random.nextInt(0x10000),
        question,
        query.request().header().flags() & PASSED_ON,
        edns(query.edns()));
  }

  private static @Nullable Edns edns(@Nullable Edns edns) {
    if (edns == null) {
      return null;
    }
    int size = Math.min(Math.max(512, edns.udpSize()), BlockSettings.UDP_LIMIT);
    return new Edns(size, 0, edns.dnssecOk(), withoutHops(edns.options()));
  }

  private static List<EdnsOption> withoutHops(List<EdnsOption> options) {
    return options.stream().filter(each -> !HOP_BY_HOP.contains(each.code())).toList();
  }

  private static Name randomCase(Name name, RandomGenerator random) {
    byte[] wire = name.toWire();
    long bits = 0;
    for (int i = 0; i < wire.length; i++) {
      if (i % 64 == 0) {
        bits = random.nextLong();
      }
      byte lower = Name.lower(wire[i]);
      boolean letter = lower >= 'a' && lower <= 'z';
      wire[i] = letter && (bits >>> (i % 64) & 1) != 0 ? (byte) (lower - 32) : lower;
    }
    return Name.ofWire(wire, 0, wire.length);
  }

  /// Whether an answer is one to that query.
  static boolean answers(DnsMessage query, DnsMessage answer) {
    return answer.header().is(Header.QR) && answer.questions().equals(query.questions());
  }

  /// Whether it also repeats the spelling.
  static boolean sameSpelling(DnsMessage query, DnsMessage answer) {
    return answers(query, answer)
        && answer.questions().getFirst().name().sameSpelling(query.questions().getFirst().name());
  }

  static Reply reply(Query query, DnsMessage answer) {
    Name asked = query.name();
    Edns edns = answer.edns();
    Reply reply =
        new Reply(
            answer.rcode(),
            answer.header().flags(),
            answer.answer(),
            answer.authority(),
            answer.additional(),
            edns == null ? List.of() : withoutHops(edns.options()),
            null,
            "forward");
    return reply.map(each -> spelled(each, asked));
  }

  private static ResourceRecord spelled(ResourceRecord each, Name asked) {
    if (each.owner().equals(asked)) {
      return each.withOwner(asked);
    }
    // A zone cut out of the question's own name carries its random letters.
    return asked.isUnder(each.owner()) ? each.withOwner(asked.tail(each.owner())) : each;
  }
}
