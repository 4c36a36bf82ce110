package io.fairlead.kernel.conntrack;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.testing.RecordedBytes;
import io.fairlead.work.testing.FuzzRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Damaged messages about tracked connections, answers and events alike.
class ConntrackFuzzTest {
  @Test
  void anEntryIsReadOrRefused() {
    FuzzRun.run(
        bytes -> {
          NetlinkMessageReader messages = NetlinkMessageReader.of(bytes);
          while (messages.next()) {
            ConntrackEntryCodec.read(messages);
          }
        },
        List.of(RecordedBytes.bytes("ct-insert"), RecordedBytes.bytes("ct-delete")),
        List.of(MalformedMessageException.class));
  }
}
