package io.fairlead.dns.kubernetes.answer;

import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.util.random.RandomGenerator;

/// A reply as it grows in its buffer. Owned by one thread and used again for every query.
///
/// Every record checks its space first: one that does not fit leaves the buffer as it is and says
/// so. The bytes behind the limit are for the OPT record.
final class ReplyBytes {
  private static final int OPT_LENGTH = 11;
  private static final int SHUFFLE_UP_TO = 8;
  private static final byte[] NAME_SERVER = {2, 'n', 's', 3, 'd', 'n', 's'};
  private static final byte[] MAILBOX = {10, 'h', 'o', 's', 't', 'm', 'a', 's', 't', 'e', 'r'};
  private static final int REFRESH = 7200;
  private static final int RETRY = 1800;
  private static final int EXPIRE = 86400;

  private final RandomGenerator random;
  private final int[] order = new int[SHUFFLE_UP_TO];
  private byte[] out = new byte[0];
  private int at;
  private int limit;
  private int answers;
  private int authorities;
  private int additionals;
  private boolean truncated;

  ReplyBytes(RandomGenerator random) {
    this.random = random;
  }

  /// Begins a reply: room for the header, the question as it was asked.
  void begin(QueryView view, byte[] buffer, int size) {
    out = buffer;
    int opt = view.edns() ? OPT_LENGTH : 0;
    limit = Math.min(size, buffer.length) - opt;
    at = view.questionEnd();
    System.arraycopy(
        view.bytes(), Header.LENGTH, out, Header.LENGTH, view.questionEnd() - Header.LENGTH);
    answers = 0;
    authorities = 0;
    additionals = 0;
    truncated = false;
  }

  boolean truncated() {
    return truncated;
  }

  int answers() {
    return answers;
  }

  int position() {
    return at;
  }

  int random(int bound) {
    return random.nextInt(bound);
  }

  /// Writes the OPT record and the header; the reply's length.
  int finish(QueryView view, int flags, int rcode, int udpLimit) {
    if (view.edns()) {
      out[at++] = 0;
      u16(RecordType.OPT);
      u16(udpLimit);
      u16(0);
      u16(view.dnssecOk() ? 0x8000 : 0);
      u16(0);
      additionals++;
    }
    int end = at;
    at = 0;
    u16(view.id());
    u16(Header.QR | flags | view.repeatedFlags() | (truncated ? Header.TC : 0) | rcode);
    u16(1);
    u16(answers);
    u16(authorities);
    u16(additionals);
    at = end;
    return end;
  }

  /// Address records of the question's own name, ready made.
  void records(byte[] ready, int length, boolean shuffle) {
    int count = ready.length / length;
    int room = (limit - at) / length;
    if (count > room) {
      truncated = true;
      rotate(ready, length, count, room);
    } else if (!shuffle || count == 1) {
      System.arraycopy(ready, 0, out, at, ready.length);
      at += ready.length;
      answers += count;
    } else if (count <= SHUFFLE_UP_TO) {
      shuffle(ready, length, count);
    } else {
      rotate(ready, length, count, count);
    }
  }

  private void shuffle(byte[] ready, int length, int count) {
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    for (int i = 0; i < count; i++) {
      System.arraycopy(ready, order[i] * length, out, at, length);
      at += length;
    }
    answers += count;
  }

  /// So many records from a random one on: two copies, whatever the number.
  private void rotate(byte[] ready, int length, int count, int wanted) {
    int start = random.nextInt(count);
    int first = Math.min(wanted, count - start);
    System.arraycopy(ready, start * length, out, at, first * length);
    at += first * length;
    System.arraycopy(ready, 0, out, at, (wanted - first) * length);
    at += (wanted - first) * length;
    answers += wanted;
  }

  /// An address record of the question's own name. False when there is no space.
  boolean address(boolean ipv4, int ttl, AddressSource source) {
    int length = ipv4 ? CompiledService.A_LENGTH : CompiledService.AAAA_LENGTH;
    if (at + length > limit) {
      truncated = true;
      return false;
    }
    head(Header.LENGTH, ipv4 ? RecordType.A : RecordType.AAAA, ttl, ipv4 ? 4 : 16);
    source.copyTo(out, at);
    at += ipv4 ? 4 : 16;
    answers++;
    return true;
  }

  /// An address record for the additional section. Without space it is left out, which no client
  /// depends on. Its owner are those labels in front of a name that stands in the reply already.
  boolean additional(NameSource labels, int suffix, boolean ipv4, int ttl, AddressSource source) {
    int length = (ipv4 ? CompiledService.A_LENGTH : CompiledService.AAAA_LENGTH) + labels.length();
    if (at + length > limit) {
      return false;
    }
    labels.copyTo(out, at);
    at += labels.length();
    head(suffix, ipv4 ? RecordType.A : RecordType.AAAA, ttl, ipv4 ? 4 : 16);
    source.copyTo(out, at);
    at += ipv4 ? 4 : 16;
    additionals++;
    return true;
  }

  /// Something that can copy an address.
  interface AddressSource {
    void copyTo(byte[] target, int at);
  }

  /// Something that can copy a name in wire form, without its root.
  interface NameSource {
    int length();

    void copyTo(byte[] target, int at);
  }

  /// A SRV record of the question's own name. The place of its target, or -1 without space.
  int srv(int ttl, int weight, int port, NameSource target, byte[] service, Tail zone) {
    int length = target.length() + service.length + zone.length();
    if (at + 12 + 6 + length > limit) {
      truncated = true;
      return -1;
    }
    head(Header.LENGTH, RecordType.SRV, ttl, 6 + length);
    u16(0);
    u16(weight);
    u16(port);
    int place = at;
    name(target, service, zone);
    answers++;
    return place;
  }

  /// A PTR record of the question's own name. False when there is no space.
  boolean ptr(int ttl, NameSource target, byte[] service, Tail zone) {
    int length = target.length() + service.length + zone.length();
    if (at + 12 + length > limit) {
      truncated = true;
      return false;
    }
    head(Header.LENGTH, RecordType.PTR, ttl, length);
    name(target, service, zone);
    answers++;
    return true;
  }

  private void name(NameSource target, byte[] service, Tail zone) {
    target.copyTo(out, at);
    at += target.length();
    System.arraycopy(service, 0, out, at, service.length);
    at += service.length;
    System.arraycopy(zone.bytes(), zone.from(), out, at, zone.length());
    at += zone.length();
  }

  /// A CNAME record of the question's own name.
  void cname(int ttl, Name target) {
    head(Header.LENGTH, RecordType.CNAME, ttl, target.length());
    target.copyTo(out, at);
    at += target.length();
    answers++;
  }

  /// The SOA record of a negative answer. Its owner is the zone as it is spelled in the question.
  void soa(int zoneAt, int ttl, long serial, int minimum) {
    int length = NAME_SERVER.length + 2 + MAILBOX.length + 2 + 20;
    head(zoneAt, RecordType.SOA, ttl, length);
    labels(NAME_SERVER, zoneAt);
    labels(MAILBOX, zoneAt);
    u32((int) serial);
    u32(REFRESH);
    u32(RETRY);
    u32(EXPIRE);
    u32(minimum);
    authorities++;
  }

  private void labels(byte[] labels, int pointer) {
    System.arraycopy(labels, 0, out, at, labels.length);
    at += labels.length;
    u16(0xc000 | pointer);
  }

  private void head(int owner, int type, int ttl, int length) {
    u16(0xc000 | owner);
    u16(type);
    u16(RecordClass.IN);
    u32(ttl);
    u16(length);
  }

  private void u16(int value) {
    out[at++] = (byte) (value >> 8);
    out[at++] = (byte) value;
  }

  private void u32(int value) {
    u16(value >>> 16);
    u16(value);
  }

  /// The end of a name: a stretch of bytes up to a root.
  record Tail(byte[] bytes, int from, int length) {
    static Tail of(Name name) {
      return new Tail(name.toWire(), 0, name.length());
    }
  }
}
