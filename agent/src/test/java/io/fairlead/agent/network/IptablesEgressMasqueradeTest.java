package io.fairlead.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The rules for packets that leave the cluster, on kernels without nftables.
class IptablesEgressMasqueradeTest {
  @Test
  void sparesTheClusterItsNodesAndGroupsAndHidesTheRest() {
    assertThat(
            IptablesEgressMasquerade.document(
                IpAddress.Family.IPV4,
                List.of(Cidr.parse("10.244.1.0/24")),
                List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00::/48")),
                List.of(IpAddress.parse("192.0.2.10"), IpAddress.parse("fd01::1"))))
        .isEqualTo(
            """
            *nat
            :FAIRLEAD-EGRESS - [0:0]
            -A FAIRLEAD-EGRESS -d 10.244.0.0/16 -j RETURN
            -A FAIRLEAD-EGRESS -d 10.244.1.0/24 -j RETURN
            -A FAIRLEAD-EGRESS -d 224.0.0.0/4 -j RETURN
            -A FAIRLEAD-EGRESS -d 192.0.2.10/32 -j RETURN
            -A FAIRLEAD-EGRESS -s 10.244.1.0/24 -j MASQUERADE
            COMMIT
            """);
  }
}
