package io.fairlead.api.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
  @ParameterizedTest(name = "{0} is printed as {1}")
  @CsvSource({
    "10.0.0.1, 10.0.0.1",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:DB8::A, 2001:db8::a",
    "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0000::0001, 2001:db8::1",
    "::ffff:10.0.0.1, ::ffff:10.0.0.1",
    "::ffff:a00:1, ::ffff:10.0.0.1",
    "::10.0.0.1, ::a00:1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
  })
  void canonicalText(String text, String canonical) {
    IpAddress address = IpAddress.parse(text);
    assertThat(address).hasToString(canonical);
    assertThat(IpAddress.parse(canonical)).isEqualTo(address);
    assertThat(IpAddress.ofBytes(address.toBytes())).isEqualTo(address);
  }

  @ParameterizedTest(name = "\"{0}\" is no address")
  @ValueSource(
      strings = {
        "",
        " ",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "256.0.0.1",
        "1.2.3.4 ",
        " 1.2.3.4",
        "010.0.0.1",
        "1..2.3",
        "1.2.3.",
        "0x7f.1",
        "localhost",
        "example.com",
        ":",
        ":::",
        "1:2",
        "1::2::3",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "12345::",
        "g::",
        "::1%eth0",
        "fe80::1%1",
        "[::1]",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3",
        "::1.2.3.4:5",
        "1:",
        ":1",
        "1::2:",
        "10.0.0.1/24",
        "::ffff:10.0.0.01",
        "١.٢.٣.٤"
      })
  void refused(String text) {
    assertThat(IpAddress.parseOrNull(text)).isNull();
    assertThatThrownBy(() -> IpAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void lenientReadsLeadingZerosAsDecimal() {
    assertThat(IpAddress.parseLenientOrNull("010.000.0.010")).hasToString("10.0.0.10");
    assertThat(IpAddress.parseLenientOrNull("0256.0.0.1")).isNull();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "127.0.0.1, loopback",
    "127.255.0.1, loopback",
    "::1, loopback",
    "::ffff:127.0.0.1, loopback",
    "::ffff:7f00:1, loopback",
    "0:0:0:0:0:ffff:127.1.2.3, loopback",
    "169.254.169.254, link-local",
    "::ffff:a9fe:a9fe, link-local",
    "fe80::1, link-local",
    "febf::1, link-local",
    "224.0.0.1, link-local multicast",
    "ff02::1, link-local multicast",
    "239.1.1.1, multicast",
    "ff05::2, multicast",
    "::ffff:239.1.1.1, multicast",
    "0.0.0.0, unspecified",
    "::, unspecified",
    "::ffff:0.0.0.0, unspecified",
    "10.0.0.1, ordinary",
    "fec0::1, ordinary",
    "128.0.0.1, ordinary",
    "::2, ordinary",
    "2001:db8::1, ordinary",
  })
  void sorts(String text, String sort) {
    IpAddress address = IpAddress.parse(text);
    String found =
        address.isUnspecified()
            ? "unspecified"
            : address.isLoopback()
                ? "loopback"
                : address.isLinkLocalUnicast()
                    ? "link-local"
                    : address.isLinkLocalMulticast()
                        ? "link-local multicast"
                        : address.isMulticast() ? "multicast" : "ordinary";
    assertThat(found).isEqualTo(sort);
  }

  @Test
  void mappingIsSeenAndUndone() {
    assertThat(IpAddress.parse("::ffff:10.0.0.1").isIpv4Mapped()).isTrue();
    assertThat(IpAddress.parse("::ffff:10.0.0.1").unmapped()).hasToString("10.0.0.1");
    assertThat(IpAddress.parse("10.0.0.1").mapped()).hasToString("::ffff:10.0.0.1");
    assertThat(IpAddress.parse("::1:ffff:10.0.0.1").isIpv4Mapped()).isFalse();
  }

  @Test
  void arithmeticCarriesAndStopsAtTheEnds() {
    assertThat(IpAddress.parse("10.0.0.255").next()).hasToString("10.0.1.0");
    assertThat(IpAddress.parse("fd00::ffff:ffff:ffff:ffff").next()).hasToString("fd00:0:0:1::");
    assertThat(IpAddress.parse("fd00:0:0:1::").plus(-1)).hasToString("fd00::ffff:ffff:ffff:ffff");
    assertThatThrownBy(() -> IpAddress.parse("255.255.255.255").next())
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> IpAddress.parse("::").plus(-1))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> IpAddress.parse("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff").next())
        .isInstanceOf(ArithmeticException.class);
    assertThat(IpAddress.parse("10.0.0.1").distanceTo(IpAddress.parse("10.0.1.1"))).isEqualTo(256);
    assertThat(IpAddress.parse("::").distanceTo(IpAddress.parse("8000::")))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void ordersByNumberUnsigned() {
    assertThat(IpAddress.parse("9.0.0.0")).isLessThan(IpAddress.parse("200.0.0.0"));
    assertThat(IpAddress.parse("7fff::")).isLessThan(IpAddress.parse("8000::"));
    assertThat(IpAddress.parse("255.0.0.0")).isLessThan(IpAddress.parse("::1"));
  }

  @Test
  void everyAddressReadsBack() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    for (int i = 0; i < 20_000; i++) {
      // Masks make runs of zero groups likely.
      IpAddress address =
          IpAddress.ipv6(random.nextLong() & mask(random), random.nextLong() & mask(random));
      assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
    }
  }

  private static long mask(RandomGenerator random) {
    long mask = 0;
    for (int group = 0; group < 4; group++) {
      mask = mask << 16 | (random.nextBoolean() ? 0xffff : 0);
    }
    return mask;
  }
}
