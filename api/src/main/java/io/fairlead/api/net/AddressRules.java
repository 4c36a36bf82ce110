package io.fairlead.api.net;

import java.util.List;

/// What is wrong or doubtful about the text of an address, in the words that follow `Invalid value:
/// "x": ` or, for warnings, the name of the field. The IPv4 forms that programs read differently
/// (leading zeros, mapped into IPv6) are refused in new objects.
public final class AddressRules {
  private static final String NOT_AN_ADDRESS =
      "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  private static final String NOT_A_CIDR =
      "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

  private AddressRules() {}

  public static List<String> addressProblems(String text) {
    IpAddress lenient = IpAddress.parseLenientOrNull(text);
    if (lenient == null) {
      return List.of(NOT_AN_ADDRESS);
    }
    if (IpAddress.parseOrNull(text) == null) {
      return List.of("must not have leading 0s");
    }
    return lenient.isIpv4Mapped() ? List.of("must not be an IPv4-mapped IPv6 address") : List.of();
  }

  public static List<String> cidrProblems(String text) {
    Cidr lenient = Cidr.parseLenientOrNull(text);
    if (lenient == null) {
      return List.of(NOT_A_CIDR);
    }
    if (Cidr.parseOrNull(text) == null) {
      return List.of("must not have leading 0s in IP or prefix length");
    }
    if (lenient.address().isIpv4Mapped()) {
      return List.of("must not have an IPv4-mapped IPv6 address");
    }
    return lenient.isMasked()
        ? List.of()
        : List.of("must not have bits set beyond the prefix length");
  }

  /// Advice about an address that passes [#addressProblems] but is not in canonical form.
  public static List<String> addressWarnings(String field, String text) {
    IpAddress address = IpAddress.parseOrNull(text);
    if (address == null || address.isIpv4() || address.toString().equals(text)) {
      return List.of();
    }
    return List.of(
        field
            + ": IPv6 address \""
            + text
            + "\" should be in RFC 5952 canonical format (\""
            + address
            + "\")");
  }

  /// Advice about a CIDR that passes [#cidrProblems] but is not in canonical form.
  public static List<String> cidrWarnings(String field, String text) {
    Cidr cidr = Cidr.parseOrNull(text);
    if (cidr == null || cidr.address().isIpv4() || cidr.toString().equals(text)) {
      return List.of();
    }
    return List.of(
        field
            + ": IPv6 CIDR value \""
            + text
            + "\" should be in RFC 5952 canonical format (\""
            + cidr
            + "\")");
  }
}
