package io.fairlead.dns.wire;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// Numbers of record types and what they are called (IANA "DNS parameters").
public final class RecordType {
  public static final int A = 1;
  public static final int NS = 2;
  public static final int CNAME = 5;
  public static final int SOA = 6;
  public static final int NULL = 10;
  public static final int PTR = 12;
  public static final int HINFO = 13;
  public static final int MX = 15;
  public static final int TXT = 16;
  public static final int AAAA = 28;
  public static final int LOC = 29;
  public static final int SRV = 33;
  public static final int NAPTR = 35;
  public static final int DNAME = 39;
  public static final int OPT = 41;
  public static final int DS = 43;
  public static final int RRSIG = 46;
  public static final int NSEC = 47;
  public static final int DNSKEY = 48;
  public static final int NSEC3 = 50;
  public static final int TLSA = 52;
  public static final int SVCB = 64;
  public static final int HTTPS = 65;
  public static final int SPF = 99;
  public static final int IXFR = 251;
  public static final int AXFR = 252;
  public static final int ANY = 255;
  public static final int CAA = 257;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(A, "A"),
          Map.entry(NS, "NS"),
          Map.entry(CNAME, "CNAME"),
          Map.entry(SOA, "SOA"),
          Map.entry(NULL, "NULL"),
          Map.entry(PTR, "PTR"),
          Map.entry(HINFO, "HINFO"),
          Map.entry(MX, "MX"),
          Map.entry(TXT, "TXT"),
          Map.entry(AAAA, "AAAA"),
          Map.entry(LOC, "LOC"),
          Map.entry(SRV, "SRV"),
          Map.entry(NAPTR, "NAPTR"),
          Map.entry(DNAME, "DNAME"),
          Map.entry(OPT, "OPT"),
          Map.entry(DS, "DS"),
          Map.entry(RRSIG, "RRSIG"),
          Map.entry(NSEC, "NSEC"),
          Map.entry(DNSKEY, "DNSKEY"),
          Map.entry(NSEC3, "NSEC3"),
          Map.entry(TLSA, "TLSA"),
          Map.entry(SVCB, "SVCB"),
          Map.entry(HTTPS, "HTTPS"),
          Map.entry(SPF, "SPF"),
          Map.entry(IXFR, "IXFR"),
          Map.entry(AXFR, "AXFR"),
          Map.entry(ANY, "ANY"),
          Map.entry(CAA, "CAA"));
  private static final Map<String, Integer> NUMBERS =
      NAMES.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

  private RecordType() {}

  /// `A`, `SRV`, `TYPE999`.
  public static String name(int type) {
    String name = NAMES.get(type);
    return name == null ? "TYPE" + type : name;
  }

  /// The number of `a`, `SRV` or `TYPE999`; empty for anything else.
  public static OptionalInt parse(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    Integer known = NUMBERS.get(upper);
    return known != null ? OptionalInt.of(known) : Rfc3597Names.parse(upper, "TYPE");
  }
}
