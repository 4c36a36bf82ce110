package io.fairlead.proxy.bgp;

import static io.fairlead.proxy.bgp.BgpTestSessions.configuration;
import static io.fairlead.proxy.bgp.BgpTestSessions.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.loadbalancer.BgpPeer;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.selector.LabelSelector;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What BIRD reads, word for word; and that nothing but typed values gets into it (LX7).
class BirdConfigurationTest {
  private static final String TOR_1 = "name: tor-1, address: 192.168.77.1";

  @Test
  void aBirdOfOurOwnIsToldEverything() {
    assertThat(
            BirdConfiguration.whole(
                configuration(
                    session(TOR_1, "10.77.0.1/32", "fd78::1/128")
                        .signed(new BgpPassword("it's 5 o'clock")))))
        .isEqualTo(
            """
            log "bird.log" 1048576 "bird.log.1" { info, warning, error, fatal, bug, auth };
            router id 192.168.77.11;
            protocol device fairlead_device { }
            protocol bfd fairlead_bfd {
              interface "*" { interval 100 ms; multiplier 3; };
              multihop { interval 100 ms; multiplier 3; };
            }
            # Written by Fairlead; changes are lost.
            ipv4 table fairlead4;
            protocol static fairlead_routes4 {
              ipv4 { table fairlead4; };
              route 10.77.0.1/32 blackhole;
            }
            ipv6 table fairlead6;
            protocol static fairlead_routes6 {
              ipv6 { table fairlead6; };
              route fd78::1/128 blackhole;
            }
            filter fairlead_to4_tor_1 {
              accept;
            }
            filter fairlead_to6_tor_1 {
              accept;
            }
            protocol bgp fairlead_peer_tor_1 {
              local as 65000;
              neighbor 192.168.77.1 as 64512;
              hold time 9;
              keepalive time 3;
              connect delay time 1;
              connect retry time 5;
              error wait time 1, 30;
              graceful restart off;
              password "it's 5 o'clock";
              direct;
              bfd on;
              ipv4 { table fairlead4; import none; export filter fairlead_to4_tor_1; next hop self; };
              ipv6 { table fairlead6; import none; export filter fairlead_to6_tor_1; next hop self; };
            }
            """);
  }

  @Test
  void theMachinesOwnBirdKeepsItsIdAndItsProtocols() {
    assertThat(BirdConfiguration.included(configuration(session(TOR_1))))
        .startsWith("# Written by Fairlead")
        .doesNotContain("router id", "protocol device", "protocol bfd", "log \"");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one system              | asn: 65000            | no direct;
          some hops away          | ebgpMultihop: 4       | multihop 4;
          no BFD                  | bfd: false            | no bfd
          times                   | holdTime: 3s, keepaliveTime: 1s | hold time 3;
          a community             | communities: ["65000:7"] | bgp_community.add((65000,7));
          a preference            | localPref: 200        | bgp_local_pref = 200;
          an address of IPv6      | address: "fd77::1"    | neighbor fd77::1 as
          """)
  void aPeerSays(String name, String fields, String expected) {
    String start = fields.contains("address") ? "name: tor-1" : TOR_1;
    String numbers = fields.contains("asn") ? "" : "asn: 64512, ";
    BgpPeer peer =
        io.fairlead.api.loadbalancer.PoolFileReader.read(
                "peers: [{" + numbers + "myAsn: 65000, " + start + ", " + fields + "}]")
            .peers()
            .getFirst();
    String text =
        BirdConfiguration.included(
            configuration(
                new BgpSession(
                    peer,
                    java.util.Set.of(IpAddress.Family.IPV4),
                    BgpTestSessions.routes("10.77.0.1/32"))));
    if (expected.startsWith("no ")) {
      assertThat(text).doesNotContain("  " + expected.substring(3));
    } else {
      assertThat(text).contains(expected);
    }
  }

  @Test
  void routersHearOnlyWhatIsForThem() {
    String text =
        BirdConfiguration.included(
            configuration(
                session(TOR_1, "10.77.0.1/32", "10.78.0.0/24"),
                session("name: tor-2, address: 192.168.77.2", "10.78.0.0/24"),
                session("name: tor-3, address: 192.168.77.3")));
    assertThat(text)
        .contains("  route 10.77.0.1/32 blackhole;\n  route 10.78.0.0/24 blackhole;\n")
        .contains("filter fairlead_to4_tor_1 {\n  accept;\n}\n")
        .contains(
            "filter fairlead_to4_tor_2 {\n  if net !~ [ 10.78.0.0/24 ] then reject;\n  accept;\n}\n")
        .contains("filter fairlead_to4_tor_3 {\n  reject;\n}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\";\nlog \"/etc/passwd\" all;", "tor_1", "Tor", "a b", "", "-a", "a\n"})
  void lx7ANameThatIsNoneReachesNoFile(String name) {
    assertThatThrownBy(
            () ->
                new BgpPeer(
                    name,
                    IpAddress.parse("192.0.2.1"),
                    1,
                    2,
                    "",
                    9,
                    3,
                    true,
                    LabelSelector.EVERYTHING,
                    0,
                    List.of(),
                    0))
        .isInstanceOf(IllegalArgumentException.class);
    String quoted = name.replace("\"", "\\\"").replace("\n", "\\n");
    assertThatThrownBy(() -> BgpTestSessions.peer("address: 192.0.2.1, name: \"" + quoted + "\""))
        .isInstanceOf(DecodeException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a\nb", "a\\\u0000b", "", "pässword", "\u007f"})
  void lx7APasswordThatWouldLeaveItsQuotationMarksIsNone(String text) {
    assertThat(BgpPassword.of(text)).isEmpty();
    assertThat(BgpPassword.of("x".repeat(81))).isEmpty();
  }

  @Test
  void lx7ANameOfASecretIsOfOneForm() {
    assertThatThrownBy(() -> BgpTestSessions.peer(TOR_1 + ", password: \"kube-system/x\\\";\\n\""))
        .isInstanceOf(DecodeException.class);
  }

  @Test
  void aPasswordIsShownNowhere() {
    assertThat(session(TOR_1).signed(new BgpPassword("hunter2")).toString())
        .contains("***")
        .doesNotContain("hunter2");
  }
}
