package io.fairlead.proxy.bgp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What BIRD 2 answers, as recorded from 2.0.12.
class BirdReplyTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          begun            | start  03:40:28.460  Idle                                    | Idle        |
          refused          | start  03:40:28.460  Connect       Socket: Connection refused | Connect     | Connection refused
          no way           | start  03:40:28.460  Active        Socket: No route to host   | Active      | No route to host
          up               | up     03:40:28.460  Established                              | Established |
          wrong number     | start  2026-11-17 03:40:28  Idle   Received: Bad peer AS      | Idle        | Received: Bad peer AS
          switched off     | down   03:40:28.460                                           | down        |
          days ago         | up     2026-11-17   Established                               | Established |
          """)
  void aSessionIs(String name, String columns, String phase, String reason) {
    BirdReply reply =
        BirdReply.read(
                "2002-Name       Proto      Table      State  Since         Info\n"
                    + "1002-fairlead_peer_tor_1 BGP        ---        "
                    + columns
                    + "\n0000 \n")
            .orElseThrow();
    assertThat(reply.sessions())
        .containsExactly(new BgpSessionState("tor-1", phase, reason == null ? "" : reason));
  }

  @Test
  void anAnswerEndsWithItsLastLine() {
    assertThat(BirdReply.read("0002-Reading configuration from bird.conf\n")).isEmpty();
    assertThat(BirdReply.read("0002-Reading configuration from bird.conf\n0003 Reconf")).isEmpty();
    BirdReply reply =
        BirdReply.read("0002-Reading configuration from bird.conf\n0003 Reconfigured\n")
            .orElseThrow();
    assertThat(reply.failed()).isFalse();
    assertThat(reply.code()).isEqualTo(3);
    assertThat(reply.lastLine()).isEqualTo("Reconfigured");
  }

  @Test
  void linesThatGoOnBelongToTheAnswer() {
    BirdReply reply =
        BirdReply.read("1000-BIRD 2.0.12\n1011-Router ID is 10.9.0.1\n Hostname is vm\n0013 up\n")
            .orElseThrow();
    assertThat(reply.lines())
        .isEqualTo(List.of("BIRD 2.0.12", "Router ID is 10.9.0.1", "Hostname is vm", "up"));
  }

  @Test
  void aRefusalIsAFailure() {
    BirdReply reply =
        BirdReply.read("0002-Reading\n8002 bird.conf:3:1 syntax error\n").orElseThrow();
    assertThat(reply.failed()).isTrue();
    assertThat(reply.lastLine()).isEqualTo("bird.conf:3:1 syntax error");
  }
}
