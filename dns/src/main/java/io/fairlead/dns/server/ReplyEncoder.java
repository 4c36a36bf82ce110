package io.fairlead.dns.server;

import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Opcode;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes bytes of replies: adds what follows from the question and cuts what does not fit.
final class ReplyEncoder {
  private static final int REPEATED = Header.RD | Header.CD;
  private static final int UDP_PLAIN = 512;
  private static final int LARGEST = 65_535;
  private static final int PADDING_BLOCK = 468;

  private final DnsCookies cookies;
  private final RandomGenerator random;

  ReplyEncoder(DnsCookies cookies, RandomGenerator random) {
    this.cookies = cookies;
    this.random = random;
  }

  /// A header and nothing else, for what cannot be understood.
  static byte[] headerOnly(QueryView view, int rcode) {
    byte[] reply = new byte[Header.LENGTH];
    int bits = Header.QR | view.opcode() << 11 | view.repeatedFlags() | rcode;
    reply[0] = view.bytes()[0];
    reply[1] = view.bytes()[1];
    reply[2] = (byte) (bits >> 8);
    reply[3] = (byte) bits;
    return reply;
  }

  /// The most bytes a client can take.
  static int limit(QueryTransport transport, @Nullable Edns edns, int udpLimit) {
    if (transport != QueryTransport.UDP) {
      return LARGEST;
    }
    return edns == null ? UDP_PLAIN : Math.max(UDP_PLAIN, Math.min(edns.udpSize(), udpLimit));
  }

  /// The reply to a query.
  ///
  /// @param query as the client sent it
  /// @param recursive whether the block forwards to other servers
  byte[] write(Query query, Reply reply, boolean recursive, int udpLimit, int idleSeconds) {
    Header asked = query.request().header();
    int flags = Header.QR | reply.flags() | (asked.flags() & REPEATED);
    if (recursive && reply.is(Header.AA)) {
      flags |= Header.RA;
    }
    Edns edns = edns(query, reply, udpLimit, idleSeconds);
    int rcode = edns == null && reply.rcode() > 15 ? 2 : reply.rcode();
    DnsMessage message =
        new DnsMessage(
            new Header(asked.id(), Opcode.QUERY, flags, rcode),
            query.request().questions(),
            reply.answer(),
            reply.authority(),
            reply.additional(),
            edns);
    int limit = limit(query.origin().transport(), query.edns(), udpLimit);
    byte[] bytes = message.write(limit);
    boolean cut = (bytes[2] & 2) != 0 && !reply.is(Header.TC);
    // Some clients never ask again over TCP: let chance decide what they see.
    return cut ? rotated(message).write(limit) : padded(query, message, bytes);
  }

  private DnsMessage rotated(DnsMessage message) {
    List<ResourceRecord> rest = new ArrayList<>(message.answer());
    List<ResourceRecord> answer = new ArrayList<>();
    while (!rest.isEmpty() && rest.getFirst().type() == RecordType.CNAME) {
      answer.add(rest.removeFirst());
    }
    if (!rest.isEmpty()) {
      Collections.rotate(rest, random.nextInt(rest.size()));
    }
    answer.addAll(rest);
    return new DnsMessage(
        message.header(),
        message.questions(),
        answer,
        message.authority(),
        message.additional(),
        message.edns());
  }

  private @Nullable Edns edns(Query query, Reply reply, int udpLimit, int idleSeconds) {
    Edns asked = query.edns();
    if (asked == null) {
      return null;
    }
    List<EdnsOption> options = new ArrayList<>(reply.options());
    asked
        .option(EdnsOption.COOKIE)
        .flatMap(cookie -> cookies.answer(cookie, query.origin().remote().getAddress()))
        .ifPresent(options::add);
    boolean stream =
        query.origin().transport() == QueryTransport.TCP
            || query.origin().transport() == QueryTransport.TLS;
    if (stream && asked.option(EdnsOption.TCP_KEEPALIVE).isPresent()) {
      int tenths = Math.min(idleSeconds * 10, 0xffff);
      byte[] time = {(byte) (tenths >> 8), (byte) tenths};
      options.add(new EdnsOption(EdnsOption.TCP_KEEPALIVE, ImmutableBytes.of(time)));
    }
    return new Edns(udpLimit, 0, asked.dnssecOk(), options);
  }

  /// Encrypted replies to a client that pads get padded as well (RFC 8467), so that their length
  /// reveals less.
  private static byte[] padded(Query query, DnsMessage message, byte[] bytes) {
    Edns asked = query.edns();
    Edns edns = message.edns();
    QueryTransport transport = query.origin().transport();
    boolean encrypted = transport == QueryTransport.TLS || transport == QueryTransport.HTTPS;
    if (!encrypted
        || asked == null
        || edns == null
        || asked.option(EdnsOption.PADDING).isEmpty()
        || bytes.length > LARGEST - 2 * PADDING_BLOCK) {
      return bytes;
    }
    int missing = (PADDING_BLOCK - (bytes.length + 4) % PADDING_BLOCK) % PADDING_BLOCK;
    List<EdnsOption> options = new ArrayList<>(edns.options());
    options.add(new EdnsOption(EdnsOption.PADDING, ImmutableBytes.of(new byte[missing])));
    return new DnsMessage(
            message.header(),
            message.questions(),
            message.answer(),
            message.authority(),
            message.additional(),
            new Edns(edns.udpSize(), 0, edns.dnssecOk(), options))
        .write(LARGEST);
  }
}
