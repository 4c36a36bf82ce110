package io.fairlead.kernel.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.netlink.MalformedMessageException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Headers as they stand in packets.
class LoggedPacketTest {

  record Case(String name, String hex, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String v4 = "4500003c00010000400600000af4010b0af40115";
    String laterFragment = "4500003c00010010400600000af4010b0af40115";
    String addresses = "fd000244000100000000000000000011fd000244000100000000000000000021";
    return Stream.of(
        new Case("IPv4 TCP", v4 + "a00000500000", "10.244.1.11 10.244.1.21 6 40960 80"),
        new Case(
            "a later fragment has no ports",
            laterFragment + "a0000050",
            "10.244.1.11 10.244.1.21 6 0 0"),
        new Case("cut before the ports", v4 + "a0", "10.244.1.11 10.244.1.21 6 0 0"),
        new Case(
            "IPv6 UDP",
            "6000000000081140" + addresses + "a0000035",
            "fd00:244:1:0:0:0:0:11 fd00:244:1:0:0:0:0:21 17 40960 53"),
        new Case(
            "IPv6 TCP behind options",
            "6000000000103c40" + addresses + "0600000000000000" + "a0000050",
            "fd00:244:1:0:0:0:0:11 fd00:244:1:0:0:0:0:21 6 40960 80"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void reads(Case row) {
    LoggedPacket packet = LoggedPacket.of("p", HexFormat.of().parseHex(row.hex()));
    assertThat(
            packet.source().getHostAddress()
                + " "
                + packet.destination().getHostAddress()
                + " "
                + packet.protocol()
                + " "
                + packet.sourcePort()
                + " "
                + packet.destinationPort())
        .isEqualTo(row.expected());
  }

  @Test
  void somethingElseIsRefused() {
    assertThatThrownBy(() -> LoggedPacket.of("", new byte[3]))
        .isInstanceOf(MalformedMessageException.class);
  }
}
