package io.fairlead.dns.wire;

/// A query as it lies in the receive buffer: where its name, type and OPT record are, without
/// making an object of anything. One per thread, used again for every packet.
///
/// Decides in the order of spec/dns.md 2.2 whether a packet is a query that can be answered.
public final class QueryView {
  /// What to do with a packet.
  public enum Verdict {
    /// Answer it.
    ACCEPT,
    /// No reply at all.
    DROP,
    /// Header only, FORMERR.
    FORMAT_ERROR,
    /// Header only, NOTIMP.
    NOT_IMPLEMENTED,
    /// The question and an OPT record, BADVERS.
    BAD_VERSION
  }

  private static final int MOST_LABELS = 128;
  private static final int QUERY_BITS = Header.RD | Header.CD;

  private byte[] bytes = new byte[0];
  private int length;
  private final int[] labelAt = new int[MOST_LABELS];
  private int labelCount;
  private int nameEnd;
  private int questionEnd;
  private int type;
  private int recordClass;
  private boolean edns;
  private int udpSize;
  private int version;
  private boolean dnssecOk;
  private int optionsAt;
  private int optionsEnd;

  /// Looks at the first `size` bytes. After anything but ACCEPT and BAD_VERSION only the header
  /// means something.
  public Verdict read(byte[] packet, int size) {
    bytes = packet;
    length = size;
    edns = false;
    if (size < Header.LENGTH || (packet[2] & 0x80) != 0) {
      return Verdict.DROP;
    }
    if (opcode() != Opcode.QUERY) {
      return Verdict.NOT_IMPLEMENTED;
    }
    int additional = u16(10);
    if (u16(4) != 1 || u16(6) > 1 || u16(8) > 1 || additional > 2 || !question()) {
      return Verdict.FORMAT_ERROR;
    }
    boolean plain = u16(6) == 0 && u16(8) == 0;
    if (!additional(plain, additional)) {
      return Verdict.FORMAT_ERROR;
    }
    return edns && version > 0 ? Verdict.BAD_VERSION : Verdict.ACCEPT;
  }

  private boolean additional(boolean plain, int count) {
    if (plain && count == 0) {
      return true;
    }
    boolean single = plain && count == 1 && isOpt();
    return single ? opt(questionEnd) : records();
  }

  private boolean question() {
    int at = Header.LENGTH;
    labelCount = 0;
    while (true) {
      if (at >= length) {
        return false;
      }
      int size = bytes[at];
      if (size < 0 || size > Name.LONGEST_LABEL) {
        return false;
      }
      if (size == 0) {
        break;
      }
      labelAt[labelCount++] = at;
      at += size + 1;
      if (at - Header.LENGTH >= Name.LONGEST) {
        return false;
      }
    }
    nameEnd = at + 1;
    questionEnd = nameEnd + 4;
    if (questionEnd > length) {
      return false;
    }
    type = u16(nameEnd);
    recordClass = u16(nameEnd + 2);
    return true;
  }

  private boolean isOpt() {
    return questionEnd + 11 <= length
        && bytes[questionEnd] == 0
        && u16(questionEnd + 1) == RecordType.OPT;
  }

  private boolean opt(int at) {
    udpSize = u16(at + 3);
    version = bytes[at + 6] & 0xff;
    dnssecOk = (bytes[at + 7] & 0x80) != 0;
    optionsAt = at + 11;
    optionsEnd = optionsAt + u16(at + 9);
    if (optionsEnd > length) {
      return false;
    }
    int option = optionsAt;
    while (option < optionsEnd) {
      if (optionsEnd - option < 4) {
        return false;
      }
      option += 4 + u16(option + 2);
    }
    edns = true;
    return option == optionsEnd;
  }

  /// The slow path for a query with other records: reads the whole message.
  private boolean records() {
    try {
      DnsMessage message = DnsMessageReader.read(bytes, 0, length);
      Edns found = message.edns();
      if (found != null) {
        edns = true;
        udpSize = found.udpSize();
        version = found.version();
        dnssecOk = found.dnssecOk();
        optionsAt = 0;
        optionsEnd = 0;
      }
      return true;
    } catch (WireException _) {
      return false;
    }
  }

  private int u16(int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  public byte[] bytes() {
    return bytes;
  }

  /// How many bytes were received.
  public int length() {
    return length;
  }

  public int id() {
    return u16(0);
  }

  public int opcode() {
    return bytes[2] >> 3 & 0xf;
  }

  /// RD and CD, which a reply repeats.
  public int repeatedFlags() {
    return u16(2) & QUERY_BITS;
  }

  public int labelCount() {
    return labelCount;
  }

  /// Where a label begins, counted from the left; its first byte is its length.
  public int labelAt(int label) {
    return labelAt[label];
  }

  /// Behind the root label.
  public int nameEnd() {
    return nameEnd;
  }

  /// Behind type and class.
  public int questionEnd() {
    return questionEnd;
  }

  public int type() {
    return type;
  }

  public int recordClass() {
    return recordClass;
  }

  public boolean edns() {
    return edns;
  }

  public int udpSize() {
    return udpSize;
  }

  public boolean dnssecOk() {
    return dnssecOk;
  }

  /// Whether the query has options that a plugin or the server has to see.
  public boolean hasOptions() {
    return edns && (optionsEnd > optionsAt || optionsAt == 0);
  }

  /// The name asked for, as an object.
  public Name name() {
    return Name.ofWire(bytes, Header.LENGTH, nameEnd - Header.LENGTH);
  }

  /// Whether the name ends with a zone.
  public boolean isUnder(Name zone) {
    int from = nameEnd - zone.length();
    if (from < Header.LENGTH) {
      return false;
    }
    for (int i = zone.length() - 1; i >= 0; i--) {
      byte mine = bytes[from + i];
      byte its = zone.at(i);
      if (mine != its && Name.lower(mine) != Name.lower(its)) {
        return false;
      }
    }
    return startsLabel(from);
  }

  private boolean startsLabel(int at) {
    if (at == nameEnd - 1) {
      return true;
    }
    for (int i = labelCount - 1; i >= 0 && labelAt[i] >= at; i--) {
      if (labelAt[i] == at) {
        return true;
      }
    }
    return false;
  }

  /// Whether a label is that text, which must be in lower case.
  public boolean labelIs(int label, byte[] text) {
    int at = labelAt[label];
    if (bytes[at] != text.length) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (Name.lower(bytes[at + 1 + i]) != text[i]) {
        return false;
      }
    }
    return true;
  }
}
