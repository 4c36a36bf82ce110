package io.fairlead.kernel.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.golden.Recorded;
import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
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
    Messages messages = Messages.of(Recorded.bytes(file));
    assertThat(messages.next()).isTrue();
    Entry entry = EntryCodec.read(messages);
    assertThat(List.of(entry.original(), entry.reply()))
        .hasToString("[17 10.0.0.1:4000 -> 10.96.0.10:53, 17 10.64.1.11:5353 -> 10.0.0.1:4000]");
    assertThat(entry.timeoutSeconds()).isBetween(599, 600);
  }

  @Test
  void aTupleIsWrittenAsTheToolWritesIt() {
    byte[] recorded = Recorded.bytes("ct-delete");
    Messages messages = Messages.of(recorded);
    assertThat(messages.next()).isTrue();
    MessageWriter writer = new MessageWriter();
    EntryCodec.identity(writer, EntryCodec.read(messages));
    assertThat(Arrays.copyOf(writer.toByteArray(), TUPLES))
        .asHexString()
        .isEqualTo(
            Recorded.hex(Arrays.copyOfRange(recorded, BEFORE_TUPLES, BEFORE_TUPLES + TUPLES)));
  }
}
