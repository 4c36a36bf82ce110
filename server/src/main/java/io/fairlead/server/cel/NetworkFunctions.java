package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.BOOL;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.STRING;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Addresses, blocks of them, and URLs.
final class NetworkFunctions {
  private static final CelType IP = CelType.opaque("net.IP");
  private static final CelType BLOCK = CelType.opaque("net.CIDR");
  private static final CelType URL = CelType.opaque("kubernetes.URL");

  private NetworkFunctions() {}

  static void addTo(CelFunctions all) {
    addresses(all);
    blocks(all);
    urls(all);
  }

  private static void addresses(CelFunctions all) {
    all.function("ip", IP, List.of(STRING), one -> new CelOpaque.Ip(address((String) one.get(0))));
    all.function("isIP", BOOL, List.of(STRING), one -> parse((String) one.get(0)) != null);
    all.function(
        "ip.isCanonical",
        BOOL,
        List.of(STRING),
        one -> address((String) one.get(0)).toString().equals(one.get(0)));
    all.function("string", STRING, List.of(IP), one -> of(one).toString());
    all.method(
        "family", INT, List.of(IP), one -> of(one).family() == IpAddress.Family.IPV4 ? 4L : 6L);
    test(all, "isUnspecified", IpAddress::isUnspecified);
    test(all, "isLoopback", IpAddress::isLoopback);
    test(all, "isLinkLocalMulticast", IpAddress::isLinkLocalMulticast);
    test(all, "isLinkLocalUnicast", IpAddress::isLinkLocalUnicast);
    test(
        all,
        "isGlobalUnicast",
        each ->
            !each.isUnspecified()
                && !each.isLoopback()
                && !each.isMulticast()
                && !each.isLinkLocalUnicast()
                && !each.toString().equals("255.255.255.255"));
  }

  private static void test(CelFunctions all, String name, Predicate<IpAddress> holds) {
    all.method(name, BOOL, List.of(IP), one -> holds.test(of(one)));
  }

  private static IpAddress of(List<Object> arguments) {
    return ((CelOpaque.Ip) arguments.get(0)).address();
  }

  /// IPv4 addresses in the form of IPv6 are none of these.
  private static @Nullable IpAddress parse(String text) {
    IpAddress address = IpAddress.parseOrNull(text);
    return address == null || (text.indexOf(':') >= 0 && text.indexOf('.') >= 0) ? null : address;
  }

  private static IpAddress address(String text) {
    IpAddress address = parse(text);
    if (address == null) {
      throw new CelEvaluationException(
          "IP Address \""
              + text
              + "\" parse error during conversion from string: ParseAddr(\""
              + text
              + "\"): unable to parse IP");
    }
    return address;
  }

  private static void blocks(CelFunctions all) {
    all.function(
        "cidr", BLOCK, List.of(STRING), one -> new CelOpaque.Block(block((String) one.get(0))));
    all.function(
        "isCIDR", BOOL, List.of(STRING), one -> Cidr.parseOrNull((String) one.get(0)) != null);
    all.function("string", STRING, List.of(BLOCK), one -> cidr(one, 0).toString());
    all.method("ip", IP, List.of(BLOCK), one -> new CelOpaque.Ip(cidr(one, 0).address()));
    all.method("masked", BLOCK, List.of(BLOCK), one -> new CelOpaque.Block(cidr(one, 0).masked()));
    all.method("prefixLength", INT, List.of(BLOCK), one -> (long) cidr(one, 0).prefixLength());
    all.method(
        "containsIP",
        BOOL,
        List.of(BLOCK, IP),
        both -> contains(cidr(both, 0), ((CelOpaque.Ip) both.get(1)).address()));
    all.method(
        "containsIP",
        BOOL,
        List.of(BLOCK, STRING),
        both -> contains(cidr(both, 0), address((String) both.get(1))));
    all.method(
        "containsCIDR",
        BOOL,
        List.of(BLOCK, BLOCK),
        both -> contains(cidr(both, 0), cidr(both, 1)));
    all.method(
        "containsCIDR",
        BOOL,
        List.of(BLOCK, STRING),
        both -> contains(cidr(both, 0), block((String) both.get(1))));
  }

  private static Cidr cidr(List<Object> arguments, int at) {
    return ((CelOpaque.Block) arguments.get(at)).cidr();
  }

  private static Cidr block(String text) {
    Cidr cidr = Cidr.parseOrNull(text);
    if (cidr == null) {
      throw new CelEvaluationException(
          "network address parse error during conversion from string: network address parse error"
              + " during conversion from string: netip.ParsePrefix(\""
              + text
              + "\"): no '/'");
    }
    return cidr;
  }

  private static boolean contains(Cidr cidr, IpAddress address) {
    return cidr.address().family() == address.family() && cidr.contains(address);
  }

  private static boolean contains(Cidr cidr, Cidr inner) {
    return contains(cidr, inner.address()) && inner.prefixLength() >= cidr.prefixLength();
  }

  private static void urls(CelFunctions all) {
    all.function("url", URL, List.of(STRING), one -> new CelOpaque.Url(url((String) one.get(0))));
    all.function("isURL", BOOL, List.of(STRING), one -> isUrl((String) one.get(0)));
    part(all, "getScheme", uri -> orEmpty(uri.getScheme()));
    part(all, "getHost", NetworkFunctions::host);
    part(all, "getHostname", uri -> orEmpty(uri.getHost()).replaceAll("[\\[\\]]", ""));
    part(all, "getPort", uri -> uri.getPort() < 0 ? "" : Integer.toString(uri.getPort()));
    part(all, "getEscapedPath", uri -> orEmpty(uri.getRawPath()));
    all.method(
        "getQuery",
        CelType.map(STRING, CelType.list(STRING)),
        List.of(URL),
        one -> query(orEmpty(((CelOpaque.Url) one.get(0)).uri().getRawQuery())));
  }

  private static void part(CelFunctions all, String name, Function<URI, String> part) {
    all.method(name, STRING, List.of(URL), one -> part.apply(((CelOpaque.Url) one.get(0)).uri()));
  }

  private static String host(URI uri) {
    return orEmpty(uri.getHost()) + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static boolean isUrl(String text) {
    try {
      var _ = url(text);
      return true;
    } catch (CelEvaluationException e) {
      return false;
    }
  }

  private static URI url(String text) {
    String why = "invalid URI for request";
    if (text.startsWith(":")) {
      why = "missing protocol scheme";
    } else {
      try {
        URI uri = new URI(text);
        if (uri.isAbsolute() || text.startsWith("/")) {
          return uri;
        }
      } catch (URISyntaxException e) {
        why = "invalid character in URL";
      }
    }
    throw new CelEvaluationException(
        "URL parse error during conversion from string: parse \"" + text + "\": " + why);
  }

  private static Map<Object, Object> query(String query) {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String key = decoded(equals < 0 ? pair : pair.substring(0, equals));
        List<Object> list = new ArrayList<>();
        if (values.get(key) instanceof List<?> known) {
          list.addAll(known);
        }
        list.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
        values.put(key, list);
      }
    }
    return values;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
