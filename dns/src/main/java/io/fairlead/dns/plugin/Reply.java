package io.fairlead.dns.plugin;

import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An answer of one message. The server adds what follows from the query: id, question, the flags
/// QR, RD and CD, the OPT record, and the cut when it is too long.
///
/// @param flags of [Header]: AA, TC, RA, AD
/// @param options what to say in the OPT record, if the client has one
/// @param failure why it went wrong, for the error log; null when it did not
/// @param plugin who made it, for metrics
/// @param validity how long it may be repeated; null when the next query needs the chain again
public record Reply(
    int rcode,
    int flags,
    List<ResourceRecord> answer,
    List<ResourceRecord> authority,
    List<ResourceRecord> additional,
    List<EdnsOption> options,
    @Nullable String failure,
    String plugin,
    @Nullable ReplyValidity validity)
    implements DnsAnswer {

  public Reply {
    flags &= Header.AA | Header.TC | Header.RA | Header.AD;
    answer = List.copyOf(answer);
    authority = List.copyOf(authority);
    additional = List.copyOf(additional);
    options = List.copyOf(options);
  }

  /// A reply for this query alone.
  public Reply(
      int rcode,
      int flags,
      List<ResourceRecord> answer,
      List<ResourceRecord> authority,
      List<ResourceRecord> additional,
      List<EdnsOption> options,
      @Nullable String failure,
      String plugin) {
    this(rcode, flags, answer, authority, additional, options, failure, plugin, null);
  }

  /// An empty reply.
  public static Reply of(String plugin, int rcode) {
    return new Reply(rcode, 0, List.of(), List.of(), List.of(), List.of(), null, plugin);
  }

  /// SERVFAIL, REFUSED… with the reason for the log.
  public static Reply failed(String plugin, int rcode, String failure) {
    return new Reply(rcode, 0, List.of(), List.of(), List.of(), List.of(), failure, plugin);
  }

  /// Records from data of our own.
  public static Reply authoritative(String plugin, List<ResourceRecord> answer) {
    return of(plugin, Rcode.NOERROR).withFlags(Header.AA).withAnswer(answer);
  }

  public boolean is(int flag) {
    return (flags & flag) != 0;
  }

  public Reply withFlags(int other) {
    return new Reply(
        rcode, other, answer, authority, additional, options, failure, plugin, validity);
  }

  public Reply withRcode(int other) {
    return new Reply(
        other, flags, answer, authority, additional, options, failure, plugin, validity);
  }

  public Reply withAnswer(List<ResourceRecord> other) {
    return new Reply(
        rcode, flags, other, authority, additional, options, failure, plugin, validity);
  }

  public Reply withAuthority(List<ResourceRecord> other) {
    return new Reply(rcode, flags, answer, other, additional, options, failure, plugin, validity);
  }

  public Reply withAdditional(List<ResourceRecord> other) {
    return new Reply(rcode, flags, answer, authority, other, options, failure, plugin, validity);
  }

  public Reply withOptions(List<EdnsOption> other) {
    return new Reply(rcode, flags, answer, authority, additional, other, failure, plugin, validity);
  }

  public Reply withValidity(@Nullable ReplyValidity other) {
    return new Reply(rcode, flags, answer, authority, additional, options, failure, plugin, other);
  }

  /// What the rest of the chain answered to a query that a plugin handed on for as long as
  /// something holds: valid no longer than that.
  public static DnsAnswer limited(DnsAnswer answer, ReplyValidity limit) {
    return answer instanceof Reply reply && reply.validity != null
        ? reply.withValidity(reply.validity.and(limit))
        : answer;
  }

  /// Every record of all sections changed.
  public Reply map(UnaryOperator<ResourceRecord> change) {
    return withAnswer(answer.stream().map(change).toList())
        .withAuthority(authority.stream().map(change).toList())
        .withAdditional(additional.stream().map(change).toList());
  }
}
