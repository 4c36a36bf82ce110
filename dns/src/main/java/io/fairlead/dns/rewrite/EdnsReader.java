package io.fairlead.dns.rewrite;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.MetadataSource;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.ImmutableBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// Reads `edns0` rules. IllegalArgumentException says what is wrong.
final class EdnsReader {
  private static final int IPV4_FAMILY = 1;
  private static final int IPV6_FAMILY = 2;

  private final InstanceContext instance;

  EdnsReader(InstanceContext instance) {
    this.instance = instance;
  }

  RewriteRule read(List<String> given) {
    List<String> words = new ArrayList<>(given);
    if (!words.isEmpty() && words.getLast().equals("revert")) {
      // The server writes the OPT record of its answers itself: there is nothing to put back.
      words.removeLast();
    }
    if (words.size() >= 2 && words.get(0).equals("unset")) {
      words.set(0, words.get(1));
      words.set(1, "unset");
    }
    if (words.size() < 2) {
      throw new IllegalArgumentException("edns0 needs local, nsid or subnet, and an action");
    }
    EdnsRule.Action action = action(words.get(1));
    List<String> rest = words.subList(2, words.size());
    return switch (words.getFirst().toLowerCase(Locale.ROOT)) {
      case "local" -> local(action, rest);
      case "nsid" -> new EdnsRule(action, EdnsOption.NSID, _ -> ImmutableBytes.EMPTY);
      case "subnet" -> subnet(action, rest);
      default ->
          throw new IllegalArgumentException(
              "'" + words.getFirst() + "' is no option; there are local, nsid and subnet");
    };
  }

  private static EdnsRule.Action action(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "set" -> EdnsRule.Action.SET;
      case "append" -> EdnsRule.Action.APPEND;
      case "replace" -> EdnsRule.Action.REPLACE;
      case "unset" -> EdnsRule.Action.UNSET;
      default ->
          throw new IllegalArgumentException(
              "'" + word + "' is no action; there are set, append, replace and unset");
    };
  }

  private RewriteRule local(EdnsRule.Action action, List<String> words) {
    boolean unset = action == EdnsRule.Action.UNSET;
    if (words.size() != (unset ? 1 : 2)) {
      throw new IllegalArgumentException("edns0 local needs CODE and DATA");
    }
    int code;
    try {
      code = Integer.decode(words.getFirst());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + words.getFirst() + "' is no option code", e);
    }
    if (code < 0 || code > 0xffff) {
      throw new IllegalArgumentException("the option code " + code + " has more than 16 bits");
    }
    return new EdnsRule(action, code, unset ? _ -> ImmutableBytes.EMPTY : data(words.get(1)));
  }

  private Function<Query, ImmutableBytes> data(String text) {
    if (text.startsWith("0x")) {
      ImmutableBytes bytes = ImmutableBytes.of(HexFormat.of().parseHex(text.substring(2)));
      return _ -> bytes;
    }
    if (text.startsWith("{") && text.endsWith("}")) {
      return variable(text.substring(1, text.length() - 1));
    }
    ImmutableBytes bytes = ImmutableBytes.of(text.getBytes(StandardCharsets.UTF_8));
    return _ -> bytes;
  }

  private Function<Query, ImmutableBytes> variable(String name) {
    return switch (name) {
      case "qname" -> query -> text(query.name().toString());
      case "qtype" -> query -> u16(query.type());
      case "client_ip" ->
          query -> ImmutableBytes.of(query.origin().remote().getAddress().getAddress());
      case "client_port" -> query -> u16(query.origin().remote().getPort());
      case "protocol" -> query -> text(query.origin().transport().protocol());
      case "server_ip" ->
          query -> ImmutableBytes.of(query.origin().local().getAddress().getAddress());
      case "server_port" -> query -> u16(query.origin().local().getPort());
      default -> {
        if (name.indexOf('/') < 0) {
          throw new IllegalArgumentException("there is no variable {" + name + "}");
        }
        yield query -> text(metadata(query, name));
      }
    };
  }

  private String metadata(Query query, String label) {
    for (Plugin plugin : instance.plugins()) {
      if (plugin instanceof MetadataSource source) {
        String value = source.metadata(query).get(label);
        if (value != null) {
          return value;
        }
      }
    }
    return "";
  }

  private static ImmutableBytes text(String text) {
    return ImmutableBytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ImmutableBytes u16(int value) {
    return ImmutableBytes.of(new byte[] {(byte) (value >> 8), (byte) value});
  }

  private static RewriteRule subnet(EdnsRule.Action action, List<String> words) {
    if (action == EdnsRule.Action.UNSET) {
      return new EdnsRule(action, EdnsOption.CLIENT_SUBNET, _ -> ImmutableBytes.EMPTY);
    }
    if (words.size() != 2) {
      throw new IllegalArgumentException("edns0 subnet needs the bits for IPv4 and for IPv6");
    }
    int ipv4 = bits(words.get(0), 32);
    int ipv6 = bits(words.get(1), 128);
    return new EdnsRule(action, EdnsOption.CLIENT_SUBNET, query -> subnet(query, ipv4, ipv6));
  }

  private static int bits(String text, int most) {
    try {
      int bits = Integer.parseInt(text);
      if (bits >= 0 && bits <= most) {
        return bits;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is no number of bits", e);
    }
    throw new IllegalArgumentException(text + " is not between 0 and " + most);
  }

  /// RFC 7871 section 6: family, bits, 0, the bytes that the bits reach.
  private static ImmutableBytes subnet(Query query, int ipv4, int ipv6) {
    IpAddress client =
        IpAddress.ofBytes(query.origin().remote().getAddress().getAddress()).unmapped();
    int bits = client.isIpv4() ? ipv4 : ipv6;
    byte[] address = client.toBytes();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int family = client.isIpv4() ? IPV4_FAMILY : IPV6_FAMILY;
    out.writeBytes(ByteBuffer.allocate(2).putShort((short) family).array());
    out.write(bits);
    out.write(0);
    int length = (bits + 7) / 8;
    for (int i = 0; i < length; i++) {
      int keep = Math.min(8, bits - i * 8);
      out.write(address[i] & 0xff & 0xff << (8 - keep));
    }
    return ImmutableBytes.of(out.toByteArray());
  }
}
