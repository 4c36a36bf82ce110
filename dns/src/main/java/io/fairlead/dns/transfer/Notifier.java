package io.fairlead.dns.transfer;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends NOTIFY for a zone that changed (RFC 1996), up to three times until the server answers.
final class Notifier {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);
  private static final int OPCODE_NOTIFY = 4;
  private static final int TRIES = 3;
  private static final int WAIT_MILLIS = 2000;
  private static final int LARGEST = 512;

  void send(InetSocketAddress server, ResourceRecord soa, int id) {
    byte[] bytes =
        new DnsMessage(
                new Header(id, OPCODE_NOTIFY, Header.AA, 0),
                List.of(new Question(soa.owner(), RecordType.SOA, RecordClass.IN)),
                List.of(soa),
                List.of(),
                List.of(),
                null)
            .write(LARGEST);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(server);
      socket.setSoTimeout(WAIT_MILLIS);
      for (int i = 0; i < TRIES; i++) {
        socket.send(new DatagramPacket(bytes, bytes.length));
        if (answered(socket, id)) {
          return;
        }
      }
      log.atWarn().addKeyValue("server", server).log("no answer to NOTIFY");
    } catch (IOException e) {
      log.atWarn().addKeyValue("server", server).setCause(e).log("cannot send NOTIFY");
    }
  }

  private static boolean answered(DatagramSocket socket, int id) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[LARGEST], LARGEST);
    try {
      socket.receive(packet);
    } catch (SocketTimeoutException e) {
      return false;
    }
    byte[] data = packet.getData();
    return packet.getLength() >= Header.LENGTH && ((data[0] & 0xff) << 8 | (data[1] & 0xff)) == id;
  }
}
