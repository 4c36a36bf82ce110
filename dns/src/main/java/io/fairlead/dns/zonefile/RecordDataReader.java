package io.fairlead.dns.zonefile;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/// Reads what stands behind the type of a record.
final class RecordDataReader {
  private static final int U8 = 0xff;
  private static final int U16 = 0xffff;

  private RecordDataReader() {}

  static RecordData read(int type, WordCursor words) throws ZoneFileException {
    if (words.more() && words.peek().text().equals("\\#") && !words.peek().quoted()) {
      return unknown(type, words);
    }
    RecordData data =
        switch (type) {
          case RecordType.A -> address(words, true);
          case RecordType.AAAA -> address(words, false);
          case RecordType.NS, RecordType.CNAME, RecordType.PTR, RecordType.DNAME ->
              new RecordData.Target(type, words.name());
          case RecordType.MX -> new RecordData.Mx(words.number(U16), words.name());
          case RecordType.SRV ->
              new RecordData.Srv(
                  words.number(U16), words.number(U16), words.number(U16), words.name());
          case RecordType.SOA ->
              new RecordData.Soa(
                  words.name(),
                  words.name(),
                  words.unsigned(),
                  words.time(),
                  words.time(),
                  words.time(),
                  words.time());
          case RecordType.TXT, RecordType.SPF -> new RecordData.Text(type, words.texts());
          case RecordType.HINFO -> new RecordData.Text(type, words.texts());
          case RecordType.CAA -> caa(words);
          case RecordType.NAPTR -> naptr(words);
          case RecordType.DS -> digest(words, true);
          case RecordType.TLSA -> digest(words, false);
          case RecordType.DNSKEY -> key(words);
          default ->
              throw words.problem(
                  "type "
                      + RecordType.name(type)
                      + " cannot be written by name here; write its data as \\# LENGTH HEX");
        };
    words.end();
    return data;
  }

  private static RecordData address(WordCursor words, boolean ipv4) throws ZoneFileException {
    String text = words.next();
    IpAddress address = IpAddress.parseOrNull(text);
    if (address == null || address.isIpv4() != ipv4) {
      throw words.problem("'" + text + "' is no IPv" + (ipv4 ? "4" : "6") + " address");
    }
    return new RecordData.Address(address);
  }

  private static RecordData unknown(int type, WordCursor words) throws ZoneFileException {
    words.next();
    int length = words.number(U16);
    ImmutableBytes data = hex(words, words.rest());
    if (data.length() != length) {
      throw words.problem(data.length() + " bytes where " + length + " were announced");
    }
    return new RecordData.Opaque(type, data);
  }

  private static ImmutableBytes hex(WordCursor words, String text) throws ZoneFileException {
    try {
      return ImmutableBytes.of(HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException e) {
      throw words.problem("'" + text + "' is not hexadecimal");
    }
  }

  private static RecordData caa(WordCursor words) throws ZoneFileException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(words.number(U8));
    text(out, words.next());
    out.writeBytes(latin(words.text()));
    return new RecordData.Opaque(RecordType.CAA, ImmutableBytes.of(out.toByteArray()));
  }

  private static RecordData naptr(WordCursor words) throws ZoneFileException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    u16(out, words.number(U16));
    u16(out, words.number(U16));
    for (int i = 0; i < 3; i++) {
      text(out, words.text());
    }
    Name replacement = words.name();
    out.writeBytes(replacement.toWire());
    return new RecordData.Opaque(RecordType.NAPTR, ImmutableBytes.of(out.toByteArray()));
  }

  /// DS has a key tag of two bytes in front of two single ones, TLSA has three single ones.
  private static RecordData digest(WordCursor words, boolean ds) throws ZoneFileException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (ds) {
      u16(out, words.number(U16));
    } else {
      out.write(words.number(U8));
    }
    out.write(words.number(U8));
    out.write(words.number(U8));
    String digest = words.rest().toLowerCase(Locale.ROOT);
    out.writeBytes(hex(words, digest).toArray());
    return new RecordData.Opaque(
        ds ? RecordType.DS : RecordType.TLSA, ImmutableBytes.of(out.toByteArray()));
  }

  private static RecordData key(WordCursor words) throws ZoneFileException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    u16(out, words.number(U16));
    out.write(words.number(U8));
    out.write(words.number(U8));
    String text = words.rest();
    try {
      out.writeBytes(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw words.problem("the key is not base64");
    }
    return new RecordData.Opaque(RecordType.DNSKEY, ImmutableBytes.of(out.toByteArray()));
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = latin(text);
    out.write(bytes.length);
    out.writeBytes(bytes);
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void u16(ByteArrayOutputStream out, int value) {
    out.write(value >> 8);
    out.write(value);
  }
}
