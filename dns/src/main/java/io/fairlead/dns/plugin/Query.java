package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A question on its way through a chain. Immutable; a plugin that rewrites it hands on another
/// one. The server answers with the question the client sent, whatever became of it on the way.
///
/// @param request has exactly one question
/// @param zone the zone of the server block that was chosen
/// @param size bytes the client sent
/// @param depth how many self-asked questions led to this one; 0 for a client's
/// @param mayBlock false on a thread that reads a socket: a plugin that would have to wait answers
///   [DnsAnswer.WouldBlock]
public record Query(
    DnsMessage request, QueryOrigin origin, Name zone, int size, int depth, boolean mayBlock) {
  /// More questions inside one another than that are a loop.
  public static final int DEEPEST = 16;

  /// A query on a thread of its own, which may block.
  public Query(DnsMessage request, QueryOrigin origin, Name zone, int size, int depth) {
    this(request, origin, zone, size, depth, true);
  }

  public Question question() {
    return request.questions().getFirst();
  }

  public Name name() {
    return question().name();
  }

  public int type() {
    return question().type();
  }

  /// Null when the client sent no OPT record.
  public @Nullable Edns edns() {
    return request.edns();
  }

  public boolean dnssecOk() {
    Edns edns = request.edns();
    return edns != null && edns.dnssecOk();
  }

  public boolean recursionDesired() {
    return request.header().is(Header.RD);
  }

  public boolean checkingDisabled() {
    return request.header().is(Header.CD);
  }

  /// The same query for something else, as a rewriting plugin hands it on.
  public Query withQuestion(Question question) {
    return withRequest(
        new DnsMessage(
            request.header(),
            List.of(question),
            request.answer(),
            request.authority(),
            request.additional(),
            request.edns()));
  }

  public Query withRequest(DnsMessage other) {
    return new Query(other, origin, zone, size, depth, mayBlock);
  }

  public Query withZone(Name other) {
    return new Query(request, origin, other, size, depth, mayBlock);
  }

  /// A question of our own that this one needs answered, for [InstanceContext#resolver].
  public Query nested(Question question) {
    Query other = withQuestion(question);
    return new Query(other.request, origin, zone, size, depth + 1, mayBlock);
  }

  /// The same query for a thread that may wait or, with false, must not.
  public Query withMayBlock(boolean other) {
    return new Query(request, origin, zone, size, depth, other);
  }
}
