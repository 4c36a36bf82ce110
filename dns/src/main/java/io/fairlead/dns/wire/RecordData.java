package io.fairlead.dns.wire;

import io.fairlead.api.net.IpAddress;
import java.util.List;
import java.util.stream.Collectors;

/// What a record says. `toString` is its master file form.
public sealed interface RecordData {
  /// One of [RecordType].
  int type();

  /// A or AAAA, as the address is.
  record Address(IpAddress address) implements RecordData {
    @Override
    public int type() {
      return address.isIpv4() ? RecordType.A : RecordType.AAAA;
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }

  /// CNAME, NS, PTR or DNAME: a type whose data is one name.
  record Target(int type, Name name) implements RecordData {
    public Target {
      if (!isTarget(type)) {
        throw new IllegalArgumentException(RecordType.name(type) + " is not just a name");
      }
    }

    @Override
    public String toString() {
      return name.toString();
    }
  }

  static Target cname(Name name) {
    return new Target(RecordType.CNAME, name);
  }

  static Target ns(Name name) {
    return new Target(RecordType.NS, name);
  }

  static Target ptr(Name name) {
    return new Target(RecordType.PTR, name);
  }

  static boolean isTarget(int type) {
    return type == RecordType.CNAME
        || type == RecordType.NS
        || type == RecordType.PTR
        || type == RecordType.DNAME;
  }

  record Mx(int preference, Name exchange) implements RecordData {
    @Override
    public int type() {
      return RecordType.MX;
    }

    @Override
    public String toString() {
      return preference + " " + exchange;
    }
  }

  record Srv(int priority, int weight, int port, Name target) implements RecordData {
    @Override
    public int type() {
      return RecordType.SRV;
    }

    @Override
    public String toString() {
      return priority + " " + weight + " " + port + " " + target;
    }
  }

  /// @param serial unsigned, 32 bits
  record Soa(
      Name server, Name mailbox, long serial, int refresh, int retry, int expire, int minimum)
      implements RecordData {
    @Override
    public int type() {
      return RecordType.SOA;
    }

    @Override
    public String toString() {
      return server + " " + mailbox + " " + serial + " " + refresh + " " + retry + " " + expire
          + " " + minimum;
    }
  }

  /// TXT, SPF or HINFO: a row of texts. A character is a byte (ISO 8859-1).
  record Text(int type, List<String> texts) implements RecordData {
    public Text {
      texts = List.copyOf(texts);
      for (String text : texts) {
        if (text.length() > 255) {
          throw new IllegalArgumentException("a text of more than 255 bytes");
        }
      }
    }

    @Override
    public String toString() {
      return texts.stream().map(CharacterStrings::quote).collect(Collectors.joining(" "));
    }
  }

  static Text txt(String... texts) {
    return new Text(RecordType.TXT, List.of(texts));
  }

  static boolean isText(int type) {
    return type == RecordType.TXT || type == RecordType.SPF || type == RecordType.HINFO;
  }

  /// Any other type, as bytes (RFC 3597). Names inside are not compressed.
  record Opaque(int type, ImmutableBytes data) implements RecordData {
    @Override
    public String toString() {
      return "\\# " + data.length() + " " + data;
    }
  }
}
