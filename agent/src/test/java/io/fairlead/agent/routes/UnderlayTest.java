package io.fairlead.agent.routes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What packets of pods may be as long as.
class UnderlayTest {
  private static final Underlay MACHINE =
      new Underlay(
          List.of(
              new Underlay.Connected(Cidr.parse("127.0.0.1/8"), 1, 65_536),
              new Underlay.Connected(Cidr.parse("192.0.2.10/24"), 2, 1500)));

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a network card, 192.0.2.10, 1500",
    "a machine with nothing but loopback, 127.0.0.1, 0",
    "an address of nobody, 192.0.2.11, 0"
  })
  void isThatOfTheNodesInterface(String row, String address, int mtu) {
    assertThat(MACHINE.mtu(IpAddress.parse(address)).orElse(0)).isEqualTo(mtu);
  }
}
