package io.fairlead.server.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RangeTest {
  private static final int SEED = 7;

  @ParameterizedTest(name = "{0}: dynamic addresses from {1} to {2}")
  @CsvSource({
    "10.0.0.0/24, 10.0.0.17, 10.0.0.254",
    "10.96.0.0/12, 10.96.1.1, 10.111.255.254",
    "10.0.0.0/28, 10.0.0.1, 10.0.0.14",
    "fd00::/112, fd00::101, fd00::ffff",
  })
  void dynamicAddressesLieAboveTheStaticBand(String cidr, String lowest, String highest) {
    AddressRange range = new AddressRange(Cidr.parse(cidr));
    RandomGenerator random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      IpAddress picked = range.pick(_ -> true, random);
      assertThat(picked)
          .isGreaterThanOrEqualTo(IpAddress.parse(lowest))
          .isLessThanOrEqualTo(IpAddress.parse(highest));
    }
  }

  @Test
  void theStaticBandIsUsedWhenTheRestIsTakenAndThenTheRangeIsFull() {
    AddressRange range = new AddressRange(Cidr.parse("10.0.0.0/26"));
    Set<IpAddress> taken = new HashSet<>();
    RandomGenerator random = new Random(SEED);
    for (int i = 0; i < 62; i++) {
      IpAddress picked =
          Objects.requireNonNull(range.pick(address -> !taken.contains(address), random));
      boolean low = picked.compareTo(IpAddress.parse("10.0.0.16")) <= 0;
      assertThat(low).as("pick %d was %s", i, picked).isEqualTo(i >= 46);
      assertThat(taken.add(picked)).isTrue();
    }
    assertThat(range.pick(address -> !taken.contains(address), random)).isNull();
  }

  @ParameterizedTest(name = "{1} in {0}: {2}")
  @CsvSource({
    "10.0.0.0/16, 10.0.0.0, false",
    "10.0.0.0/16, 10.0.0.1, true",
    "10.0.0.0/16, 10.0.255.254, true",
    "10.0.0.0/16, 10.0.255.255, false",
    "10.0.0.0/16, 192.168.0.1, false",
    "10.0.0.0/16, fd00::1, false",
    "fd00::/112, fd00::, false",
    "fd00::/112, fd00::ffff, true",
  })
  void onlyUsableAddressesBelongToARange(String cidr, String address, boolean belongs) {
    assertThat(new AddressRange(Cidr.parse(cidr)).contains(IpAddress.parse(address)))
        .isEqualTo(belongs);
  }

  @Test
  void dynamicNodePortsLieAboveTheStaticBand() {
    NodePortRange range = NodePortRange.parse("30000-32767");
    RandomGenerator random = new Random(SEED);
    for (int i = 0; i < 5000; i++) {
      assertThat(range.pick(_ -> true, random)).isBetween(30086, 32767);
    }
    assertThat(range.pick(port -> port < 30086, random)).isBetween(30000, 30085);
    assertThat(range.pick(_ -> false, random)).isEqualTo(NodePortRange.NONE);
  }

  @ParameterizedTest
  @CsvSource({"30000", "a-b", "0-10", "30000-70000", "400-300", "''"})
  void aBadPortRangeIsRefused(String text) {
    assertThatThrownBy(() -> NodePortRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("port range");
  }
}
