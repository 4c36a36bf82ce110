package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePortName;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The hashes in chain names and the numbers in rules (spec/proxy.md 7.1).
class NamesTest {
  record Row(
      String id,
      NameStyle style,
      String service,
      String port,
      Protocol protocol,
      String endpoint,
      String expected) {
    @Override
    public String toString() {
      return id + " " + service + ":" + port + " " + endpoint;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        legacy("N1", "", "NWV5X2332I4OT4T3"),
        legacy("N2a", "10.244.1.7:9376", "WNBA2IHDGP2BOBGZ"),
        legacy("N2b", "10.244.2.3:9376", "X3P2623AGDH6CDF3"),
        legacy("N2c", "10.244.3.6:9376", "57KPRZ3JQVENLNBR"),
        tcp("N3", "default/hostnames", "", "", "YN5D6RYVEVZOH44Q"),
        tcp("N4a", "default/hostnames", "default", "", "ODX2UBAZM7RQWOIU"),
        tcp("N4b", "default/hostnames", "default", "10.244.0.5:9376", "WP4DJFDWEPABKXDE"),
        tcp("N5a", "week/nginx-svc", "nginx", "", "4LRRYOSSZE5QDVLA"),
        tcp("N5b", "week/nginx-svc", "nginx", "10.208.67.129:80", "S2NHQD4JFZO6ZT3O"),
        tcp("N5c", "week/nginx-svc", "nginx", "10.208.67.130:80", "WCKBX4BRVWPAVTTD"),
        tcp("N5d", "week/nginx-svc", "nginx", "10.42.234.135:80", "2ELJFQOAS5FHEUHZ"),
        tcp("N6a", "default/kubernetes", "https", "", "NPX46M4PTMTKRN6Y"),
        of("N6b", "kube-system/kube-dns", "dns", Protocol.UDP, "TCOU7JCQXEZGVUNU"),
        tcp("N6c", "kube-system/kube-dns", "dns-tcp", "", "ERIFXISQEP7F7OF4"),
        of("N7a", "shop/cart", "http", Protocol.TCP, "I5LIAMPLWKMBJ54B"),
        of("N7b", "shop/cart", "http", Protocol.UDP, "JR3SBCD4C6K5AAYG"),
        of("N7c", "shop/cart", "http", Protocol.SCTP, "HYXDJ7AOE4HTX5Z4"),
        tcp("N8a", "shop/v6", "http", "", "NFHSRL3D33J5AN3X"),
        tcp("N8b", "shop/v6", "http", "[fd00:64:1::11]:8080", "DCE33T7JW4YDBX5C"),
        tcp("N9a", "default/my-nginx", "", "", "L65ENXXZWWSAPRCR"),
        tcp("N9b", "default/my-nginx", "", "10.244.2.5:80", "QT562I3QEAQKDDZ7"));
  }

  private static Row legacy(String id, String endpoint, String expected) {
    return new Row(id, NameStyle.LEGACY, "default/hostnames", "", Protocol.TCP, endpoint, expected);
  }

  private static Row tcp(String id, String service, String port, String endpoint, String expected) {
    return new Row(id, NameStyle.CURRENT, service, port, Protocol.TCP, endpoint, expected);
  }

  private static Row of(String id, String service, String port, Protocol protocol, String hash) {
    return new Row(id, NameStyle.CURRENT, service, port, protocol, "", hash);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void hashesAreThoseOfTheOriginal(Row row) {
    String[] key = row.service.split("/");
    ServicePortName name = new ServicePortName(key[0], key[1], row.port, row.protocol);
    assertThat(
            row.endpoint.isEmpty()
                ? ChainNames.service(row.style, name)
                : ChainNames.endpoint(row.style, name, row.endpoint))
        .isEqualTo(row.expected);
  }

  @Test
  void n13ProbabilitiesHaveTenDigits() {
    assertThat(Probability.match(1)).isEmpty();
    assertThat(Stream.of(2, 3, 4, 5, 6, 7).map(Probability::text))
        .containsExactly(
            "0.5000000000",
            "0.3333333333",
            "0.2500000000",
            "0.2000000000",
            "0.1666666667",
            "0.1428571429");
  }

  @Test
  void n14WhatTheToolPrintsIsTheSameNumberInTheKernel() {
    record Saved(int left, String printed) {}
    assertThat(
            Stream.of(
                new Saved(3, "0.33333333349"),
                new Saved(5, "0.20000000019"),
                new Saved(6, "0.16666666651"),
                new Saved(7, "0.14285714272")))
        .allMatch(
            row ->
                Probability.kernel(Probability.text(row.left)) == Probability.kernel(row.printed));
  }

  @Test
  void n15TheFiveDigitsOfOldVersionsAreAnotherNumber() {
    assertThat(Probability.kernel("0.33333")).isEqualTo(Probability.kernel("0.33332999982"));
    assertThat(Probability.kernel("0.33333")).isNotEqualTo(Probability.kernel("0.3333333333"));
  }
}
