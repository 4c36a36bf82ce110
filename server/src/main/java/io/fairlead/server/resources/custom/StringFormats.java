package io.fairlead.server.resources.custom;

import com.google.re2j.Pattern;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.function.Predicate;

/// The formats a text can be asked to have. A name that is not here asks for nothing.
final class StringFormats {
  private static final String HEX = "[0-9a-fA-F]";
  private static final Pattern DATE_TIME =
      Pattern.compile(
          "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:"
              + "([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])");
  private static final Pattern DURATION =
      Pattern.compile(
          "[+-]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)"
              + "|[+-]?[0-9]+(\\.[0-9]+)? *(ns|nanos?|us|micros?|ms|millis?|s|secs?|seconds?|m|mins?"
              + "|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)");
  private static final Pattern EMAIL = Pattern.compile("[^@\\s<>]+@[^@\\s<>]+");
  private static final Pattern HOST =
      Pattern.compile(
          "([a-zA-Z0-9\\p{L}\\p{N}]([a-zA-Z0-9\\p{L}\\p{N}-]{0,61}[a-zA-Z0-9\\p{L}\\p{N}])?\\.)*"
              + "[a-zA-Z0-9\\p{L}\\p{N}]([a-zA-Z0-9\\p{L}\\p{N}-]{0,61}[a-zA-Z0-9\\p{L}\\p{N}])?\\.?");

  private static final Map<String, Predicate<String>> FORMATS =
      Map.ofEntries(
          Map.entry("date-time", text -> DATE_TIME.matches(text)),
          Map.entry("datetime", text -> DATE_TIME.matches(text)),
          Map.entry("date", StringFormats::isDate),
          Map.entry("duration", text -> DURATION.matches(text)),
          Map.entry("byte", StringFormats::isBase64),
          Map.entry("password", _ -> true),
          Map.entry("email", text -> EMAIL.matches(text)),
          Map.entry("hostname", text -> text.length() <= 253 && HOST.matches(text)),
          Map.entry("ipv4", text -> isAddress(text, false)),
          Map.entry("ipv6", text -> isAddress(text, true)),
          Map.entry("cidr", StringFormats::isCidr),
          Map.entry(
              "mac",
              matching(
                  "("
                      + HEX
                      + "{2}[:-]){5}("
                      + HEX
                      + "{2})|("
                      + HEX
                      + "{2}[:-]){7}"
                      + HEX
                      + "{2}|("
                      + HEX
                      + "{4}\\.){2}"
                      + HEX
                      + "{4}")),
          Map.entry("uri", StringFormats::isUri),
          Map.entry("uuid", matching(uuid("[0-9a-fA-F]", "[0-9a-fA-F]"))),
          Map.entry("uuid3", matching(uuid("3", "[0-9a-fA-F]"))),
          Map.entry("uuid4", matching(uuid("4", "[89abAB]"))),
          Map.entry("uuid5", matching(uuid("5", "[89abAB]"))),
          Map.entry("bsonobjectid", matching(HEX + "{24}")),
          Map.entry("hexcolor", matching("#?(" + HEX + "{3}|" + HEX + "{6})")),
          Map.entry("rgbcolor", matching("rgb\\(\\s*[0-9]{1,3}\\s*(,\\s*[0-9]{1,3}\\s*){2}\\)")),
          Map.entry("ssn", matching("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")),
          Map.entry("creditcard", matching("[0-9]{4}([ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}")),
          Map.entry("isbn", text -> isIsbn(text, 10) || isIsbn(text, 13)),
          Map.entry("isbn10", text -> isIsbn(text, 10)),
          Map.entry("isbn13", text -> isIsbn(text, 13)),
          Map.entry("k8s-short-name", text -> NameValidation.dns1123Label(text).isEmpty()),
          Map.entry("k8s-long-name", text -> NameValidation.dns1123Subdomain(text).isEmpty()));

  private StringFormats() {}

  static boolean fits(String format, String text) {
    return FORMATS.getOrDefault(format, _ -> true).test(text);
  }

  private static Predicate<String> matching(String pattern) {
    Pattern compiled = Pattern.compile(pattern);
    return compiled::matches;
  }

  private static String uuid(String version, String variant) {
    return HEX + "{8}-?" + HEX + "{4}-?" + version + HEX + "{3}-?" + variant + HEX + "{3}-?" + HEX
        + "{12}";
  }

  private static boolean isDate(String text) {
    try {
      var _ = LocalDate.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static boolean isBase64(String text) {
    try {
      byte[] unused = Base64.getMimeDecoder().decode(text);
      return text.length() % 4 == 0 && text.matches("[A-Za-z0-9+/\\r\\n]*={0,2}");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isAddress(String text, boolean six) {
    return IpAddress.parseOrNull(text) != null && (text.indexOf(':') >= 0) == six;
  }

  private static boolean isCidr(String text) {
    return Cidr.parseOrNull(text) != null;
  }

  private static boolean isUri(String text) {
    try {
      URI uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isIsbn(String text, int digits) {
    String plain = text.replace("-", "").replace(" ", "");
    if (!plain.matches(digits == 10 ? "[0-9]{9}[0-9X]" : "[0-9]{13}")) {
      return false;
    }
    int sum = 0;
    for (int at = 0; at < digits; at++) {
      int digit = plain.charAt(at) == 'X' ? 10 : plain.charAt(at) - '0';
      sum += digits == 10 ? digit * (10 - at) : digit * (at % 2 == 0 ? 1 : 3);
    }
    return sum % (digits == 10 ? 11 : 10) == 0;
  }
}
