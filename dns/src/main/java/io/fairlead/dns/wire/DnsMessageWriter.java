package io.fairlead.dns.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts a message together within a limit.
///
/// Answer and authority come first; when one of their records finds no space, TC is set and the
/// rest stays away. Additional records are only a courtesy and go without notice (RFC 2181 section
/// 9). The OPT record always has its place.
final class DnsMessageWriter {
  private static final int COUNTS_AT = 4;
  private static final int OPT_LENGTH = 11;

  private final WireWriter writer;
  private final int limit;
  private boolean truncated;

  private DnsMessageWriter(int limit, int records) {
    this.writer = new WireWriter(Math.min(limit, 512), records);
    this.limit = limit;
  }

  static byte[] write(DnsMessage message, int limit) {
    int reserved = length(message.edns());
    int records =
        message.answer().size() + message.authority().size() + message.additional().size();
    return new DnsMessageWriter(limit - reserved, records).message(message);
  }

  private static int length(@Nullable Edns edns) {
    if (edns == null) {
      return 0;
    }
    int length = OPT_LENGTH;
    for (EdnsOption option : edns.options()) {
      length += 4 + option.data().length();
    }
    return length;
  }

  private byte[] message(DnsMessage message) {
    Header header = message.header();
    writer.u16(header.id());
    int bits = header.flags() | header.opcode() << 11 | (header.rcode() & 0xf);
    writer.u16(bits);
    writer.u32(0);
    writer.u32(0);
    for (Question question : message.questions()) {
      writer.name(question.name());
      writer.u16(question.type());
      writer.u16(question.recordClass());
    }
    int answers = section(message.answer());
    int authorities = truncated ? 0 : section(message.authority());
    boolean incomplete = truncated;
    int additionals = truncated ? 0 : section(message.additional());
    Edns edns = message.edns();
    if (edns != null) {
      opt(edns, header.rcode());
      additionals++;
    }
    writer.u16At(2, incomplete ? bits | Header.TC : bits);
    writer.u16At(COUNTS_AT, message.questions().size());
    writer.u16At(COUNTS_AT + 2, answers);
    writer.u16At(COUNTS_AT + 4, authorities);
    writer.u16At(COUNTS_AT + 6, additionals);
    return writer.toArray();
  }

  private int section(List<ResourceRecord> records) {
    int written = 0;
    for (ResourceRecord each : records) {
      int before = writer.position();
      record(each);
      if (writer.position() > limit) {
        writer.rewind(before);
        truncated = true;
        return written;
      }
      written++;
    }
    return written;
  }

  private void opt(Edns edns, int rcode) {
    writer.u8(0);
    writer.u16(RecordType.OPT);
    writer.u16(edns.udpSize());
    writer.u8(rcode >> 4);
    writer.u8(edns.version());
    writer.u16(edns.dnssecOk() ? 0x8000 : 0);
    writer.u16(length(edns) - OPT_LENGTH);
    for (EdnsOption option : edns.options()) {
      writer.u16(option.code());
      writer.u16(option.data().length());
      writer.bytes(option.data());
    }
  }

  private void record(ResourceRecord each) {
    writer.name(each.owner());
    writer.u16(each.type());
    writer.u16(each.recordClass());
    writer.u32(each.ttl());
    int lengthAt = writer.position();
    writer.u16(0);
    data(each.data());
    writer.u16At(lengthAt, writer.position() - lengthAt - 2);
  }

  private void data(RecordData data) {
    switch (data) {
      case RecordData.Address(var address) -> writer.bytes(ImmutableBytes.of(address.toBytes()));
      case RecordData.Target(int type, Name name) -> {
        if (type == RecordType.DNAME) {
          writer.plainName(name);
        } else {
          writer.name(name);
        }
      }
      case RecordData.Mx(int preference, Name exchange) -> {
        writer.u16(preference);
        writer.name(exchange);
      }
      case RecordData.Srv(int priority, int weight, int port, Name target) -> {
        writer.u16(priority);
        writer.u16(weight);
        writer.u16(port);
        writer.plainName(target);
      }
      case RecordData.Soa soa -> {
        writer.name(soa.server());
        writer.name(soa.mailbox());
        writer.u32(soa.serial());
        writer.u32(soa.refresh());
        writer.u32(soa.retry());
        writer.u32(soa.expire());
        writer.u32(soa.minimum());
      }
      case RecordData.Text text -> {
        for (String each : text.texts()) {
          writer.u8(each.length());
          for (int i = 0; i < each.length(); i++) {
            writer.u8(each.charAt(i));
          }
        }
      }
      case RecordData.Opaque(int _, ImmutableBytes bytes) -> writer.bytes(bytes);
    }
  }
}
