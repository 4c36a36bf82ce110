package io.fairlead.dns.wire;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.WireException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes a message apart.
final class DnsMessageReader {
  private final WireReader reader;
  private @Nullable Edns edns;
  private int extendedRcode;

  private DnsMessageReader(WireReader reader) {
    this.reader = reader;
  }

  static DnsMessage read(byte[] bytes, int from, int length) throws WireException {
    return new DnsMessageReader(new WireReader(bytes, from, length)).message();
  }

  private DnsMessage message() throws WireException {
    int id = reader.u16();
    int bits = reader.u16();
    int questionCount = reader.u16();
    int answerCount = reader.u16();
    int authorityCount = reader.u16();
    int additionalCount = reader.u16();
    List<Question> questions = new ArrayList<>();
    for (int i = 0; i < questionCount; i++) {
      questions.add(new Question(reader.name(), reader.u16(), reader.u16()));
    }
    List<ResourceRecord> answer = records(answerCount);
    List<ResourceRecord> authority = records(authorityCount);
    List<ResourceRecord> additional = records(additionalCount);
    int rcode = (bits & 0xf) | extendedRcode << 4;
    Header header = new Header(id, bits >> 11 & 0xf, bits, rcode);
    return new DnsMessage(header, questions, answer, authority, additional, edns);
  }

  private List<ResourceRecord> records(int count) throws WireException {
    // The count is a claim of the sender: the list grows with what is really there.
    List<ResourceRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Name owner = reader.name();
      int type = reader.u16();
      int recordClass = reader.u16();
      long ttl = reader.u32();
      int length = reader.u16();
      reader.need(length);
      if (type == RecordType.OPT) {
        opt(recordClass, ttl, length);
        continue;
      }
      int end = reader.position() + length;
      RecordData data = data(type, length);
      if (reader.position() != end) {
        throw new WireException(Reason.BAD_DATA);
      }
      // A time with the highest bit set counts as 0 (RFC 2181 section 8).
      records.add(
          new ResourceRecord(owner, recordClass, ttl > Integer.MAX_VALUE ? 0 : (int) ttl, data));
    }
    return records;
  }

  private void opt(int size, long bits, int length) throws WireException {
    if (edns != null) {
      throw new WireException(Reason.SEVERAL_OPT);
    }
    int end = reader.position() + length;
    List<EdnsOption> options = new ArrayList<>();
    while (reader.position() < end) {
      if (end - reader.position() < 4) {
        throw new WireException(Reason.BAD_OPTION);
      }
      int code = reader.u16();
      int optionLength = reader.u16();
      if (optionLength > end - reader.position()) {
        throw new WireException(Reason.BAD_OPTION);
      }
      options.add(new EdnsOption(code, ImmutableBytes.of(reader.take(optionLength))));
    }
    extendedRcode = (int) (bits >>> 24);
    edns = new Edns(size, (int) (bits >>> 16 & 0xff), (bits & 0x8000) != 0, options);
  }

  private RecordData data(int type, int length) throws WireException {
    if (RecordData.isTarget(type)) {
      return new RecordData.Target(type, reader.name());
    }
    if (RecordData.isText(type)) {
      return text(type, length);
    }
    return switch (type) {
      case RecordType.A -> address(length, 4);
      case RecordType.AAAA -> address(length, 16);
      case RecordType.MX -> new RecordData.Mx(reader.u16(), reader.name());
      case RecordType.SRV ->
          new RecordData.Srv(reader.u16(), reader.u16(), reader.u16(), reader.name());
      case RecordType.SOA -> soa();
      default -> new RecordData.Opaque(type, ImmutableBytes.of(reader.take(length)));
    };
  }

  private RecordData address(int length, int wanted) throws WireException {
    if (length != wanted) {
      throw new WireException(Reason.BAD_DATA);
    }
    return new RecordData.Address(IpAddress.ofBytes(reader.take(length)));
  }

  private RecordData soa() throws WireException {
    return new RecordData.Soa(
        reader.name(),
        reader.name(),
        reader.u32(),
        (int) reader.u32(),
        (int) reader.u32(),
        (int) reader.u32(),
        (int) reader.u32());
  }

  private RecordData text(int type, int length) throws WireException {
    int end = reader.position() + length;
    List<String> texts = new ArrayList<>();
    while (reader.position() < end) {
      int size = reader.u8();
      if (size > end - reader.position()) {
        throw new WireException(Reason.BAD_DATA);
      }
      texts.add(new String(reader.take(size), StandardCharsets.ISO_8859_1));
    }
    return new RecordData.Text(type, texts);
  }
}
