package io.fairlead.kernel.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.testing.RecordedBytes;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our codec against the bytes `conntrack` sends.
class GoldenConntrackTest {
  private static final int TUPLES = 2 * 52;
  private static final int BEFORE_TUPLES = 20;

  @ParameterizedTest
  @ValueSource(strings = {"ct-insert", "ct-delete"})
  void theToolsEntryIsRead(String file) {
    NetlinkMessageReader messages = NetlinkMessageReader.of(RecordedBytes.bytes(file));
    assertThat(messages.next()).isTrue();
    ConntrackEntry entry = ConntrackEntryCodec.read(messages);
    assertThat(List.of(entry.original(), entry.reply()))
        .hasToString("[17 10.0.0.1:4000 -> 10.96.0.10:53, 17 10.64.1.11:5353 -> 10.0.0.1:4000]");
    assertThat(entry.timeoutSeconds()).isBetween(599, 600);
  }

  @Test
  void aTupleIsWrittenAsTheToolWritesIt() {
    byte[] recorded = RecordedBytes.bytes("ct-delete");
    NetlinkMessageReader messages = NetlinkMessageReader.of(recorded);
    assertThat(messages.next()).isTrue();
    NetlinkMessageWriter writer = new NetlinkMessageWriter();
    ConntrackEntryCodec.identity(writer, ConntrackEntryCodec.read(messages));
    assertThat(Arrays.copyOf(writer.toByteArray(), TUPLES))
        .asHexString()
        .isEqualTo(
            RecordedBytes.hex(Arrays.copyOfRange(recorded, BEFORE_TUPLES, BEFORE_TUPLES + TUPLES)));
  }
}
