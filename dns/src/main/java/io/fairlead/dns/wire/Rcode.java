package io.fairlead.dns.wire;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/// Numbers of response codes; those above 15 need EDNS.
public final class Rcode {
  public static final int NOERROR = 0;
  public static final int FORMERR = 1;
  public static final int SERVFAIL = 2;
  public static final int NXDOMAIN = 3;
  public static final int NOTIMP = 4;
  public static final int REFUSED = 5;
  public static final int YXDOMAIN = 6;
  public static final int NOTAUTH = 9;
  public static final int NOTZONE = 10;
  public static final int BADVERS = 16;
  public static final int BADCOOKIE = 23;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(NOERROR, "NOERROR"),
          Map.entry(FORMERR, "FORMERR"),
          Map.entry(SERVFAIL, "SERVFAIL"),
          Map.entry(NXDOMAIN, "NXDOMAIN"),
          Map.entry(NOTIMP, "NOTIMP"),
          Map.entry(REFUSED, "REFUSED"),
          Map.entry(YXDOMAIN, "YXDOMAIN"),
          Map.entry(NOTAUTH, "NOTAUTH"),
          Map.entry(NOTZONE, "NOTZONE"),
          Map.entry(BADVERS, "BADVERS"),
          Map.entry(BADCOOKIE, "BADCOOKIE"));

  private Rcode() {}

  /// `NXDOMAIN`, `RCODE11`.
  public static String name(int rcode) {
    String name = NAMES.get(rcode);
    return name == null ? "RCODE" + rcode : name;
  }

  public static OptionalInt parse(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    return NAMES.entrySet().stream()
        .filter(each -> each.getValue().equals(upper))
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }
}
