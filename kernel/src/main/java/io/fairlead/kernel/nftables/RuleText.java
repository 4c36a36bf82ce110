package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// Prints a listed rule about as `nft` would, for people. What it does not know it names.
public final class RuleText {
  private static final int COMPAT_NAME = 1;
  private static final int COMPAT_INFO = 3;

  /// Of `xt_statistic_info`: mode and flags, each two bytes, then the probability in 31 bits.
  private static final int STATISTIC_PROBABILITY = 4;

  private final Map<Integer, String> registers = new HashMap<>();
  private final List<String> words = new ArrayList<>();
  private String transport = "th";

  private RuleText() {}

  /// `tcp dport 80 counter drop`.
  public static String of(NftRule rule) {
    RuleText text = new RuleText();
    rule.expressions().forEach(text::add);
    return String.join(" ", text.words);
  }

  /// The verdict of a rule that decides the same for every packet it matches; empty for others.
  public static Optional<NftVerdict> verdict(NftRule rule) {
    return rule.expressions().stream()
        .filter(Expression.Decide.class::isInstance)
        .map(Expression.Decide.class::cast)
        .map(Expression.Decide::verdict)
        .findFirst();
  }

  /// Whether the rule answers the sender that the packet was not let through.
  public static boolean rejects(NftRule rule) {
    return rule.expressions().stream()
        .anyMatch(
            each ->
                each instanceof Expression.Reject
                    || each instanceof Expression.Reset
                    || (each instanceof Expression.Other other
                        && (other.name().equals("reject") || compatName(other).equals("REJECT"))));
  }

  /// With which probability `iptables -m statistic --mode random` lets a packet go on; empty where
  /// a rule has no such condition.
  public static OptionalDouble probability(NftRule rule) {
    for (Expression each : rule.expressions()) {
      if (each instanceof Expression.Other other
          && other.name().equals("match")
          && compatName(other).equals("statistic")) {
        byte[] info = compat(other, COMPAT_INFO);
        if (info.length >= STATISTIC_PROBABILITY + Integer.BYTES) {
          int bits =
              java.nio.ByteBuffer.wrap(info)
                  .order(ByteOrder.nativeOrder())
                  .getInt(STATISTIC_PROBABILITY);
          return OptionalDouble.of(Integer.toUnsignedLong(bits) / (double) (1L << 31));
        }
      }
    }
    return OptionalDouble.empty();
  }

  private void add(Expression expression) {
    switch (expression) {
      case Expression.Payload payload -> registers.put(payload.to(), field(payload));
      case Expression.Meta meta -> registers.put(meta.to(), meta(meta.key()));
      case Expression.Connection connection ->
          registers.put(connection.to(), connection.key() == 0 ? "ct state" : "ct");
      case Expression.AddressKind kind ->
          registers.put(kind.to(), (kind.source() ? "fib saddr" : "fib daddr") + " type");
      case Expression.SourceRoute route -> registers.put(route.to(), "fib saddr . iif oif");
      case Expression.Bitwise bitwise ->
          registers.put(bitwise.to(), at(bitwise.from()) + " & " + bitwise.mask());
      case Expression.Immediate immediate -> registers.put(immediate.to(), immediate.value() + "");
      case Expression.NumberGenerator number ->
          registers.put(number.to(), "numgen random mod " + number.count());
      case Expression.Compare compare -> compare(compare);
      case Expression.Lookup lookup ->
          words.add(
              at(lookup.key())
                  + (lookup.inverted() ? " != @" : lookup.decides() ? " vmap @" : " @")
                  + lookup.set());
      case Expression.SetMeta meta -> words.add(meta(meta.key()) + " set " + at(meta.from()));
      case Expression.SetConnection connection -> words.add("ct set " + at(connection.from()));
      case Expression.Translate translate -> words.add(translate.destination() ? "dnat" : "snat");
      case Expression.Masquerade _ -> words.add("masquerade");
      case Expression.Redirect _ -> words.add("redirect");
      case Expression.Reject _ -> words.add("reject");
      case Expression.Reset _ -> words.add("reject with tcp reset");
      case Expression.Counter _ -> words.add("counter");
      case Expression.Limit limit -> words.add("limit rate " + limit.perSecond() + "/second");
      case Expression.Log log -> words.add("log group " + log.group());
      case Expression.ChangeSet change -> words.add("update @" + change.set());
      case Expression.AddLimited add -> words.add("add @" + add.set());
      case Expression.ToNetworkOrder _ -> {}
      case Expression.Decide decide -> words.add(decide.verdict().toString());
      case Expression.Other other -> words.add(named(other));
    }
  }

  private String at(int register) {
    return registers.getOrDefault(register, "register " + register);
  }

  private String field(Expression.Payload payload) {
    if (payload.base() == Expression.Payload.NETWORK) {
      return switch (payload.offset() + "+" + payload.length()) {
        case "12+4" -> "ip saddr";
        case "16+4" -> "ip daddr";
        case "9+1" -> "ip protocol";
        case "8+16" -> "ip6 saddr";
        case "24+16" -> "ip6 daddr";
        case "6+1" -> "ip6 nexthdr";
        default -> "@nh," + payload.offset() * 8 + "," + payload.length() * 8;
      };
    }
    return switch (payload.offset() + "+" + payload.length()) {
      case "0+2" -> transport + " sport";
      case "2+2" -> transport + " dport";
      case "13+1" -> transport + " flags";
      default -> "@th," + payload.offset() * 8 + "," + payload.length() * 8;
    };
  }

  private static String meta(int key) {
    return switch (key) {
      case 1 -> "meta protocol";
      case Expression.Meta.MARK -> "meta mark";
      case 4 -> "iif";
      case 5 -> "oif";
      case Expression.Meta.INPUT_INTERFACE_NAME -> "iifname";
      case Expression.Meta.OUTPUT_INTERFACE_NAME -> "oifname";
      case Expression.Meta.TRACE -> "meta nftrace";
      case 15 -> "meta nfproto";
      case Expression.Meta.TRANSPORT_PROTOCOL -> "meta l4proto";
      default -> "meta " + key;
    };
  }

  private void compare(Expression.Compare compare) {
    String left = at(compare.from());
    String sign =
        switch (compare.operation()) {
          case EQUAL -> " ";
          case NOT_EQUAL -> " != ";
          case LESS -> " < ";
          case LESS_OR_EQUAL -> " <= ";
          case GREATER -> " > ";
          case GREATER_OR_EQUAL -> " >= ";
        };
    String right = value(left, compare.with());
    if (left.equals("meta l4proto") || left.equals("ip protocol")) {
      transport = right.matches("tcp|udp|sctp") ? right : "th";
    }
    words.add(left + sign + right);
  }

  private static String value(String left, NftData value) {
    byte[] bytes = value.toByteArray();
    if (left.endsWith("addr") || left.contains("addr &")) {
      return address(bytes);
    }
    if (left.endsWith("port") && bytes.length == 2) {
      return Integer.toString(((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff));
    }
    if (left.endsWith("name")) {
      return "\"" + new String(bytes, StandardCharsets.UTF_8).replace("\0", "") + "\"";
    }
    if ((left.endsWith("l4proto") || left.endsWith("protocol")) && bytes.length == 1) {
      return switch (bytes[0]) {
        case 1 -> "icmp";
        case 6 -> "tcp";
        case 17 -> "udp";
        default -> Integer.toString(bytes[0] & 0xff);
      };
    }
    return value.toString();
  }

  private static String address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      return NftData.wrap(bytes).toString();
    }
  }

  private static String named(Expression.Other other) {
    String compat = compatName(other);
    return switch (other.name()) {
      case "match" -> "-m " + compat;
      case "target" -> "-j " + compat;
      default -> other.name();
    };
  }

  private static String compatName(Expression.Other other) {
    byte[] name = compat(other, COMPAT_NAME);
    int end = 0;
    while (end < name.length && name[end] != 0) {
      end++;
    }
    return new String(name, 0, end, StandardCharsets.UTF_8);
  }

  private static byte[] compat(Expression.Other other, int attribute) {
    if (!other.name().equals("match") && !other.name().equals("target")) {
      return new byte[0];
    }
    try {
      NetlinkAttributeReader attributes = NetlinkAttributeReader.of(other.attributes().array());
      while (attributes.next()) {
        if (attributes.type() == attribute) {
          return attributes.bytes();
        }
      }
    } catch (MalformedMessageException _) {
      // A text for people: what cannot be read is left out.
    }
    return new byte[0];
  }
}
