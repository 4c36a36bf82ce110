package io.fairlead.dns.server;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Opcode;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Sends zone transfers: as many messages as it takes.
final class ZoneTransferSender {
  // Below what a message can hold, by the sizes of its records without compression.
  private static final int PIECE = 60_000;
  private static final int FIXED = 32;

  private ZoneTransferSender() {}

  static void send(DnsMessage request, DnsAnswer.ZoneTransfer transfer, ReplySink sink)
      throws IOException {
    List<ResourceRecord> waiting = new ArrayList<>();
    int size = 0;
    for (List<ResourceRecord> piece : transfer.pieces()) {
      for (ResourceRecord each : piece) {
        int length = each.owner().length() + FIXED + 2 * each.data().toString().length();
        if (size + length > PIECE) {
          flush(request, waiting, sink);
          waiting.clear();
          size = 0;
        }
        waiting.add(each);
        size += length;
      }
    }
    flush(request, waiting, sink);
  }

  private static void flush(DnsMessage request, List<ResourceRecord> records, ReplySink sink)
      throws IOException {
    if (records.isEmpty()) {
      return;
    }
    int flags = Header.QR | Header.AA | (request.header().flags() & Header.RD);
    sink.send(
        new DnsMessage(
                new Header(request.header().id(), Opcode.QUERY, flags, 0),
                request.questions(),
                records,
                List.of(),
                List.of(),
                null)
            .write(65_535));
  }
}
