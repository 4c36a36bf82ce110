package io.fairlead.dns.zonefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MasterFileTest {
  record Case(String name, String text, String meaning) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String read(String text) throws ZoneFileException {
    List<ResourceRecord> records =
        MasterFile.read(
            text,
            Name.of("example.org"),
            file -> {
              if (file.equals("more")) {
                return "inc A 192.0.2.9\n";
              }
              if (file.equals("self")) {
                return "$INCLUDE self\n";
              }
              throw new IOException("no such file");
            });
    return records.stream().map(ResourceRecord::toString).collect(Collectors.joining("; "));
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "relative and absolute",
            "a A 192.0.2.1\nb.net. A 192.0.2.2",
            "a.example.org. 3600 IN A 192.0.2.1; b.net. 3600 IN A 192.0.2.2"),
        new Case("origin sign", "@ A 192.0.2.1", "example.org. 3600 IN A 192.0.2.1"),
        new Case(
            "owner repeated",
            "a A 192.0.2.1\n  AAAA ::1",
            "a.example.org. 3600 IN A 192.0.2.1; a.example.org. 3600 IN AAAA ::1"),
        new Case(
            "ttl and class in both orders",
            "a 60 IN A 192.0.2.1\nb IN 61 A 192.0.2.2",
            "a.example.org. 60 IN A 192.0.2.1; b.example.org. 61 IN A 192.0.2.2"),
        new Case(
            "ttl with units",
            "$TTL 1h30m\na A 192.0.2.1\nb 2d A 192.0.2.2",
            "a.example.org. 5400 IN A 192.0.2.1; b.example.org. 172800 IN A 192.0.2.2"),
        new Case(
            "origin changed",
            "$ORIGIN sub\na A 192.0.2.1",
            "a.sub.example.org. 3600 IN A 192.0.2.1"),
        new Case(
            "parentheses and comments",
            "@ SOA ns host ( 1 ; serial\n 2h\n 3600 4 5 )",
            "example.org. 5 IN SOA ns.example.org. host.example.org. 1 7200 3600 4 5"),
        new Case(
            "texts",
            "t TXT \"a b\" c \"d\\\"e\" \"\\228\"",
            "t.example.org. 3600 IN TXT \"a b\" \"c\" \"d\\\"e\" \"\\228\""),
        new Case(
            "semicolon in quotes", "t TXT \"v=1; p\"", "t.example.org. 3600 IN TXT \"v=1; p\""),
        new Case(
            "MX and SRV",
            "@ MX 10 mail\n_s._tcp SRV 1 2 3 host",
            "example.org. 3600 IN MX 10 mail.example.org.; _s._tcp.example.org. 3600 IN SRV 1 2 3"
                + " host.example.org."),
        new Case(
            "unknown type",
            "x TYPE999 \\# 4 0a00 0001",
            "x.example.org. 3600 IN TYPE999 \\# 4 0a000001"),
        new Case(
            "CAA",
            "@ CAA 0 issue \"ca.net\"",
            "example.org. 3600 IN CAA \\# 13 000569737375656361 2e6e6574"
                .replace(" 2e6e6574", "2e6e6574")),
        new Case("DS", "d DS 1 8 2 AB CD", "d.example.org. 3600 IN DS \\# 6 00010802abcd"),
        new Case(
            "include",
            "$INCLUDE more sub\na A 192.0.2.1",
            "inc.sub.example.org. 3600 IN A 192.0.2.9; a.example.org. 3600 IN A 192.0.2.1"),
        new Case(
            "generate",
            "$GENERATE 1-3 host$ A 192.0.2.$",
            "host1.example.org. 3600 IN A 192.0.2.1; host2.example.org. 3600 IN A 192.0.2.2;"
                + " host3.example.org. 3600 IN A 192.0.2.3"),
        new Case(
            "generate with step, time and reverse names",
            "$ORIGIN 2.0.192.in-addr.arpa.\n$GENERATE 0-4/4 $ 60 IN PTR h-${10}.example.org.",
            "0.2.0.192.in-addr.arpa. 60 IN PTR h-10.example.org.;"
                + " 4.2.0.192.in-addr.arpa. 60 IN PTR h-14.example.org."),
        new Case(
            "generate with offset, width and base",
            "$GENERATE 10-11 n${-1,4,x} TXT \"${0,3,o} \\$\"",
            "n0009.example.org. 3600 IN TXT \"012 $\"; n000a.example.org. 3600 IN TXT \"013 $\""),
        new Case("wildcard", "*.w A 192.0.2.1", "*.w.example.org. 3600 IN A 192.0.2.1"),
        new Case(
            "carriage returns",
            "a A 192.0.2.1\r\nb A 192.0.2.2\r\n",
            "a.example.org. 3600 IN A 192.0.2.1; b.example.org. 3600 IN A 192.0.2.2"),
        new Case("nothing", "; only a comment\n\n", ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void reads(Case c) throws ZoneFileException {
    assertThat(read(c.text())).isEqualTo(c.meaning());
  }

  static Stream<Case> faults() {
    return Stream.of(
        new Case("no owner", " A 192.0.2.1", "line 1: the first record has no owner"),
        new Case("bad address", "\na A 192.0.2", "line 2: '192.0.2' is no IPv4 address"),
        new Case("wrong family", "a AAAA 192.0.2.1", "no IPv6 address"),
        new Case("no type", "a 60 IN", "ends too early"),
        new Case("unknown word", "a NOPE x", "'NOPE' is no record type"),
        new Case("too many words", "a A 192.0.2.1 x", "one word too many"),
        new Case("open parenthesis", "a A (192.0.2.1", "never closed"),
        new Case("closing parenthesis", "a A 192.0.2.1)", "')' without '('"),
        new Case("open quote", "a TXT \"x", "the quote is never closed"),
        new Case("include of itself", "$INCLUDE self", "nested deeper"),
        new Case("include of nothing", "$INCLUDE none", "cannot include none"),
        new Case("directive", "$NOPE 1", "$NOPE is unknown"),
        new Case("generate without a range", "$GENERATE a A 192.0.2.1", "needs a range such as"),
        new Case("generate nothing", "$GENERATE 2-1 a A 192.0.2.1", "the range 2-1 is empty"),
        new Case("generate far too much", "$GENERATE 0-99999999 a$ A 192.0.2.1", "makes more than"),
        new Case("generate below zero", "$GENERATE 1-2 a${-2} A 192.0.2.1", "below zero"),
        new Case("generate with a bad mark", "$GENERATE 1-2 a${x} A 192.0.2.1", "is not ${OFFSET"),
        new Case("generate with an open mark", "$GENERATE 1-2 a${1 A 192.0.2.1", "never closed"),
        new Case("label too long", "x".repeat(64) + " A 192.0.2.1", "is no domain name"),
        new Case("long text", "a TXT " + "x".repeat(256), "more than 255"),
        new Case("wrong length", "a TYPE999 \\# 4 0a", "1 bytes where 4"),
        new Case("type not by name", "a LOC 1 2 3", "write its data as"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Case c) {
    assertThatThrownBy(() -> read(c.text()))
        .isInstanceOf(ZoneFileException.class)
        .hasMessageContaining(c.meaning());
  }

  @Test
  void damageIsNoticed() {
    String good = "$TTL 60\n@ SOA ns host ( 1 2h 3 4 5 )\na A 192.0.2.1\n TXT \"a b\"\n@ MX 1 a\n";
    Random random = new Random(5);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(good);
      for (int edits = random.nextInt(3); edits >= 0; edits--) {
        text.setCharAt(random.nextInt(text.length()), "()\";\\\n $@A0.".charAt(random.nextInt(12)));
      }
      try {
        read(text.toString());
      } catch (ZoneFileException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1000, 19_999);
  }
}
