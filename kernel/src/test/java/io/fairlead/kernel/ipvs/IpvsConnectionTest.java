package io.fairlead.kernel.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// The kernel's listing of connections that IPVS carries.
class IpvsConnectionTest {
  private static InetSocketAddress place(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  @Test
  void bothFamiliesAreRead() {
    assertThat(
            IpvsConnection.parse(
                """
                Pro FromIP   FPrt ToIP     TPrt DestIP   DPrt State       Expires PEName PEData
                TCP 0AF40114 A391 0A0001AF 0050 0AF40203 24A0 ESTABLISHED     899
                TCP 0AF40114 0000 0A0001AF 0050 0AF40203 24A0 NONE            179
                TCP fd00:0000:0000:0000:0000:0000:0000:0014 A391 fd00:0010:0000:0000:0000:0000:0000:0001 0050 fd00:0000:0000:0000:0000:0000:0000:0003 24A0 SYN_RECV         59
                nonsense
                """))
        .containsExactly(
            new IpvsConnection(
                "TCP",
                place("10.244.1.20", 41873),
                place("10.0.1.175", 80),
                place("10.244.2.3", 9376),
                "ESTABLISHED"),
            new IpvsConnection(
                "TCP",
                place("10.244.1.20", 0),
                place("10.0.1.175", 80),
                place("10.244.2.3", 9376),
                "NONE"),
            new IpvsConnection(
                "TCP",
                place("fd00::14", 41873),
                place("fd00:10::1", 80),
                place("fd00::3", 9376),
                "SYN_RECV"));
  }

  @Test
  void anEmptyListingHasNone() {
    assertThat(IpvsConnection.parse("")).isEmpty();
  }
}
