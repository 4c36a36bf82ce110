package io.fairlead.api.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
  @ParameterizedTest(name = "{0} goes from {1} to {2}, {3} addresses")
  @CsvSource({
    "10.96.0.0/12, 10.96.0.0, 10.111.255.255, 1048576",
    "10.9.8.7/24, 10.9.8.0, 10.9.8.255, 256",
    "0.0.0.0/0, 0.0.0.0, 255.255.255.255, 4294967296",
    "10.0.0.1/32, 10.0.0.1, 10.0.0.1, 1",
    "fd00::/108, fd00::, fd00::f:ffff, 1048576",
    "2001:db8::/64, 2001:db8::, 2001:db8::ffff:ffff:ffff:ffff, 9223372036854775807",
    "2001:db8::/65, 2001:db8::, 2001:db8::7fff:ffff:ffff:ffff, 9223372036854775807",
    "2001:db8::/66, 2001:db8::, 2001:db8::3fff:ffff:ffff:ffff, 4611686018427387904",
    "::/0, ::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 9223372036854775807",
    "fd00:1::5/128, fd00:1::5, fd00:1::5, 1",
  })
  void bounds(String text, String first, String last, long size) {
    Cidr cidr = Cidr.parse(text);
    assertThat(cidr.first()).hasToString(first);
    assertThat(cidr.last()).hasToString(last);
    assertThat(cidr.size()).isEqualTo(size);
    assertThat(cidr.contains(cidr.first()) && cidr.contains(cidr.last())).isTrue();
  }

  @ParameterizedTest(name = "\"{0}\" is no block")
  @ValueSource(
      strings = {
        "",
        "/",
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "::/129",
        "10.0.0.0/-1",
        "10.0.0.0/024",
        "10.0.0.0/+8",
        "10.0.0.0/8/8",
        "/8",
        "10.0.0.0/99999999999",
        "10.0.0.0/8 "
      })
  void refused(String text) {
    assertThat(Cidr.parseOrNull(text)).isNull();
  }

  @Test
  void containsAndOverlaps() {
    Cidr block = Cidr.parse("10.96.0.0/12");
    assertThat(block.contains(IpAddress.parse("10.112.0.0"))).isFalse();
    assertThat(block.contains(IpAddress.parse("::ffff:10.96.0.1"))).isFalse();
    assertThat(block.contains(Cidr.parse("10.100.0.0/16"))).isTrue();
    assertThat(block.contains(Cidr.parse("10.0.0.0/8"))).isFalse();
    assertThat(block.overlaps(Cidr.parse("10.0.0.0/8"))).isTrue();
    assertThat(block.overlaps(Cidr.parse("10.112.0.0/12"))).isFalse();
  }

  @Test
  void placesOfAddresses() {
    Cidr block = Cidr.parse("fd00::/108");
    assertThat(block.at(1)).hasToString("fd00::1");
    assertThat(block.offsetOf(IpAddress.parse("fd00::f:ffff"))).isEqualTo(1048575);
    assertThatThrownBy(() -> block.at(1048576)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.offsetOf(IpAddress.parse("fd01::")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bitsBehindThePrefixAreKeptUntilMasked() {
    assertThat(Cidr.parse("10.9.8.7/24")).hasToString("10.9.8.7/24");
    assertThat(Cidr.parse("10.9.8.7/24").masked()).hasToString("10.9.8.0/24");
    assertThat(Cidr.parse("10.9.8.0/24").isMasked()).isTrue();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1 | ",
        "2001:DB8::1 | ",
        "x | must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
        "010.0.0.1 | must not have leading 0s",
        "::ffff:10.0.0.1 | must not be an IPv4-mapped IPv6 address",
        "10.0.0.0/8 | ",
        "10.0.0.0/33 | must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
        "10.0.0.0/08 | must not have leading 0s in IP or prefix length",
        "10.0.0.1/8 | must not have bits set beyond the prefix length",
        "::ffff:10.0.0.0/104 | must not have an IPv4-mapped IPv6 address",
      })
  void problems(String text, String problem) {
    var found =
        text.contains("/") ? AddressRules.cidrProblems(text) : AddressRules.addressProblems(text);
    assertThat(String.join(";", found)).isEqualTo(problem == null ? "" : problem);
  }

  @Test
  void otherSpellingsGetAdvice() {
    assertThat(AddressRules.addressWarnings("spec.externalIPs[0]", "2001:db8:0::1"))
        .containsExactly(
            "spec.externalIPs[0]: IPv6 address \"2001:db8:0::1\" should be in RFC 5952 canonical"
                + " format (\"2001:db8::1\")");
    assertThat(AddressRules.addressWarnings("f", "2001:db8::1")).isEmpty();
    assertThat(AddressRules.cidrWarnings("f", "2001:DB8::/32")).hasSize(1);
  }
}
