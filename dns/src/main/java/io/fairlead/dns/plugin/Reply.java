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
public record Reply(
    int rcode,
    int flags,
    List<ResourceRecord> answer,
    List<ResourceRecord> authority,
    List<ResourceRecord> additional,
    List<EdnsOption> options,
    @Nullable String failure,
    String plugin)
    implements Answer {

  public Reply {
    flags &= Header.AA | Header.TC | Header.RA | Header.AD;
    answer = List.copyOf(answer);
    authority = List.copyOf(authority);
    additional = List.copyOf(additional);
    options = List.copyOf(options);
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
    return new Reply(rcode, other, answer, authority, additional, options, failure, plugin);
  }

  public Reply withRcode(int other) {
    return new Reply(other, flags, answer, authority, additional, options, failure, plugin);
  }

  public Reply withAnswer(List<ResourceRecord> other) {
    return new Reply(rcode, flags, other, authority, additional, options, failure, plugin);
  }

  public Reply withAuthority(List<ResourceRecord> other) {
    return new Reply(rcode, flags, answer, other, additional, options, failure, plugin);
  }

  public Reply withAdditional(List<ResourceRecord> other) {
    return new Reply(rcode, flags, answer, authority, other, options, failure, plugin);
  }

  public Reply withOptions(List<EdnsOption> other) {
    return new Reply(rcode, flags, answer, authority, additional, other, failure, plugin);
  }

  /// Every record of all sections changed.
  public Reply map(UnaryOperator<ResourceRecord> change) {
    return withAnswer(answer.stream().map(change).toList())
        .withAuthority(authority.stream().map(change).toList())
        .withAdditional(additional.stream().map(change).toList());
  }
}
