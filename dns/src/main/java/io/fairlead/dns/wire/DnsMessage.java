package io.fairlead.dns.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A whole message, taken apart. The OPT record stands in `edns`, not in `additional`.
///
/// @param edns null when the message has no OPT record
public record DnsMessage(
    Header header,
    List<Question> questions,
    List<ResourceRecord> answer,
    List<ResourceRecord> authority,
    List<ResourceRecord> additional,
    @Nullable Edns edns) {

  public DnsMessage {
    questions = List.copyOf(questions);
    answer = List.copyOf(answer);
    authority = List.copyOf(authority);
    additional = List.copyOf(additional);
  }

  /// A query as a resolver sends it.
  public static DnsMessage query(int id, Question question, int flags, @Nullable Edns edns) {
    return new DnsMessage(
        new Header(id, Opcode.QUERY, flags, 0),
        List.of(question),
        List.of(),
        List.of(),
        List.of(),
        edns);
  }

  /// Reads a message. What follows the last record is ignored.
  public static DnsMessage read(byte[] bytes) throws WireException {
    return DnsMessageReader.read(bytes, 0, bytes.length);
  }

  public static DnsMessage read(byte[] bytes, int from, int length) throws WireException {
    return DnsMessageReader.read(bytes, from, length);
  }

  /// Its bytes, at most so many. What does not fit is left out: additional records silently, others
  /// with the TC bit.
  public byte[] write(int limit) {
    return DnsMessageWriter.write(this, limit);
  }

  public int rcode() {
    return header.rcode();
  }
}
