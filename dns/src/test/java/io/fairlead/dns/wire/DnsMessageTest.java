package io.fairlead.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Names and messages against bytes that other programs wrote.
class DnsMessageTest {
  /// @param text null when it is no name
  record Spelling(String name, String given, @Nullable String text) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Spelling> spellings() {
    String label = "a".repeat(63);
    return Stream.of(
        new Spelling("with the last dot", "web.shop.", "web.shop."),
        new Spelling("without it", "web.shop", "web.shop."),
        new Spelling("the root", ".", "."),
        new Spelling("an escaped dot", "a\\.b.c", "a\\.b.c."),
        new Spelling("a number", "a\\000b", "a\\000b."),
        new Spelling("case stays", "WeB.Shop", "WeB.Shop."),
        new Spelling("longest label", label, label + "."),
        new Spelling("label too long", label + "a", null),
        new Spelling("empty label", "a..b", null),
        new Spelling("dot in front", ".a", null),
        new Spelling("nothing", "", null),
        new Spelling("number too large", "a\\256", null),
        new Spelling("backslash at the end", "a\\", null),
        new Spelling("name too long", String.join(".", List.of(label, label, label, label)), null));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  void namesAsText(Spelling spelling) {
    Name name = Name.parseOrNull(spelling.given());
    assertThat(name == null ? null : name.toString()).isEqualTo(spelling.text());
  }

  @Test
  void namesCompareWithoutCaseAndByLabels() {
    Name name = Name.of("Web.Shop.SVC.cluster.local");
    assertThat(name)
        .isEqualTo(Name.of("web.shop.svc.CLUSTER.local"))
        .hasSameHashCodeAs(Name.of("web.shop.svc.cluster.local"));
    assertThat(name.isUnder(Name.of("cluster.LOCAL"))).isTrue();
    assertThat(name.isUnder(Name.of("r.local"))).isFalse();
    assertThat(name.isUnder(Name.ROOT)).isTrue();
    assertThat(name.without(Name.of("cluster.local"))).isEqualTo(Name.of("web.shop.svc"));
    assertThat(name.tail(Name.of("SVC.cluster.local")).toString()).isEqualTo("SVC.cluster.local.");
    assertThat(Name.of("b.a")).isGreaterThan(Name.of("z.a.a").parent());
  }

  /// A query that a client really sent, caught on a socket.
  private record Caught(
      String client, String hex, String flags, Question question, @Nullable Edns edns) {
    @Override
    public String toString() {
      return client;
    }
  }

  static List<Caught> caughtQueries() {
    String host = "crane.harbor.svc.cluster.local";
    return List.of(
        new Caught(
            "dig 9.18: AD, OPT of 1232 bytes, a cookie",
            "c21001200001000000000001056372616e6506686172626f720373766307636c7573746572"
                + "056c6f63616c000001000100002904d000000000000c000a00085b8599a142eb9457",
            "rd ad",
            Question.of(host, RecordType.A),
            new Edns(
                1232,
                0,
                false,
                List.of(
                    new EdnsOption(EdnsOption.COOKIE, ImmutableBytes.ofHex("5b8599a142eb9457"))))),
        new Caught(
            "kdig 3.2: no OPT",
            "326401200001000000000000055f68747470045f746370056372616e6506686172626f72"
                + "0373766307636c7573746572056c6f63616c0000210001",
            "rd ad",
            Question.of("_http._tcp." + host, RecordType.SRV),
            null),
        new Caught(
            "kdig 3.2 +dnssec +nsid: DO, OPT of 4096 bytes, an empty option",
            "973a01200001000000000001056372616e6506686172626f720373766307636c7573746572"
                + "056c6f63616c00001c0001000029100000008000000400030000",
            "rd ad",
            Question.of(host, RecordType.AAAA),
            new Edns(
                4096,
                0,
                true,
                List.of(new EdnsOption(EdnsOption.NSID, ImmutableBytes.ofHex(""))))));
  }

  @ParameterizedTest
  @MethodSource("caughtQueries")
  void readsAndWritesWhatClientsSend(Caught caught) throws WireException {
    byte[] bytes = HexFormat.of().parseHex(caught.hex());
    DnsMessage message = DnsMessage.read(bytes);
    assertThat(message.questions()).containsExactly(caught.question());
    assertThat(message.header().flagText()).isEqualTo(caught.flags());
    assertThat(message.edns()).isEqualTo(caught.edns());
    assertThat(message.write(512)).isEqualTo(bytes);
  }

  /// A reply with compressed names in owner and data, as most servers write it.
  @Test
  void readsCompressedNames() throws WireException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                "000185800001000200000000037777770765786d61706c6503636f6d0000010001"
                    + "c00c0005000100000e10000603776562c010c02d000100010000003c0004c0000250");
    DnsMessage message = DnsMessage.read(bytes);
    assertThat(message.answer())
        .extracting(ResourceRecord::toString)
        .containsExactly(
            "www.exmaple.com. 3600 IN CNAME web.exmaple.com.",
            "web.exmaple.com. 60 IN A 192.0.2.80");
    assertThat(message.write(512)).isEqualTo(bytes);
  }

  @Test
  void cutsWhatDoesNotFit() throws WireException {
    Name name = Name.of("swarm.quay.svc.cluster.local");
    List<ResourceRecord> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(ResourceRecord.address(name, 30, IpAddress.parse("10.0.0." + i)));
    }
    DnsMessage answer =
        new DnsMessage(
            new Header(1, 0, Header.QR, 0),
            List.of(Question.of(name.toString(), RecordType.A)),
            many,
            List.of(),
            many,
            null);
    DnsMessage cut = DnsMessage.read(answer.write(512));
    assertThat(cut.answer()).hasSize(29);
    assertThat(cut.additional()).isEmpty();
    assertThat(cut.header().is(Header.TC)).isTrue();
    DnsMessage courteous = DnsMessage.read(answer.write(12 + 34 + 1600 + 160));
    assertThat(courteous.answer()).hasSize(100);
    assertThat(courteous.additional()).hasSize(10);
    assertThat(courteous.header().is(Header.TC)).isFalse();
  }

  @Test
  void pointersMustLeadBack() {
    byte[] loop = HexFormat.of().parseHex("000101000001000000000000c00c00010001");
    assertThatThrownBy(() -> DnsMessage.read(loop))
        .isInstanceOfSatisfying(
            WireException.class,
            e -> assertThat(e.reason()).isEqualTo(WireException.Reason.POINTER));
  }
}
