package io.fairlead.dns.transfer;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferPluginTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("db");
    StringBuilder zone = new StringBuilder("@ 60 SOA ns host 7 1 1 1 60\n@ 60 NS ns\n");
    for (int i = 0; i < 1200; i++) {
      zone.append("h")
          .append(i)
          .append(" 60 A 10.0.")
          .append(i / 250)
          .append('.')
          .append(i % 250)
          .append('\n');
    }
    Files.writeString(file, zone);
  }

  private Rig rig(String to) throws SetupException {
    return new Rig(
        "file " + file + " example.org\ntransfer example.org {\n to " + to + "\n}", Rig.refusing());
  }

  private static Query ask(String name, String type, QueryTransport transport) {
    return Rig.query(name, type, "10.244.1.9", transport, null);
  }

  private static List<ResourceRecord> all(DnsAnswer answer) {
    List<ResourceRecord> records = new ArrayList<>();
    ((DnsAnswer.ZoneTransfer) answer).pieces().forEach(records::addAll);
    return records;
  }

  private static Query withSerial(Query query, long serial) {
    ResourceRecord soa = TestReplies.soa("example.org", 0, 0);
    RecordData.Soa data = (RecordData.Soa) soa.data();
    ResourceRecord told =
        ResourceRecord.in(
            soa.owner(), 0, new RecordData.Soa(data.server(), data.mailbox(), serial, 0, 0, 0, 0));
    DnsMessage request = query.request();
    return query.withRequest(
        new DnsMessage(
            request.header(), request.questions(), List.of(), List.of(told), List.of(), null));
  }

  @Test
  void vector98TheZoneStandsBetweenItsSoaRecords() throws SetupException {
    try (Rig rig = rig("*")) {
      List<ResourceRecord> records =
          all(rig.answer(ask("example.org", "AXFR", QueryTransport.TCP)));
      assertThat(records).hasSize(1 + 1 + 1200 + 1);
      assertThat(records.getFirst().type()).isEqualTo(RecordType.SOA);
      assertThat(records.getLast()).isEqualTo(records.getFirst());
      assertThat(records.stream().filter(each -> each.type() == RecordType.SOA)).hasSize(2);
    }
  }

  @Test
  void vector97NotOverUdp() throws SetupException {
    try (Rig rig = rig("*")) {
      Reply reply = (Reply) rig.answer(ask("example.org", "AXFR", QueryTransport.UDP));
      assertThat(reply.rcode()).isEqualTo(Rcode.REFUSED);
    }
  }

  @Test
  void onlyForThoseListed() throws SetupException {
    try (Rig rig = rig("10.9.9.9")) {
      assertThat(((Reply) rig.answer(ask("example.org", "AXFR", QueryTransport.TCP))).rcode())
          .isEqualTo(Rcode.REFUSED);
    }
    try (Rig rig = rig("10.9.9.9 10.244.1.9:5353")) {
      assertThat(rig.answer(ask("example.org", "AXFR", QueryTransport.TCP)))
          .isInstanceOf(DnsAnswer.ZoneTransfer.class);
    }
  }

  @Test
  void onlyWholeZones() throws SetupException {
    try (Rig rig = rig("*")) {
      assertThat(((Reply) rig.answer(ask("h1.example.org", "AXFR", QueryTransport.TCP))).rcode())
          .isEqualTo(Rcode.REFUSED);
    }
  }

  @Test
  void vector99UpToDateClientsGetTheSoaAlone() throws SetupException {
    try (Rig rig = rig("*")) {
      Query ixfr = ask("example.org", "IXFR", QueryTransport.TCP);
      assertThat(text((Reply) rig.answer(withSerial(ixfr, 7)))).contains("IN SOA");
      assertThat(all(rig.answer(withSerial(ixfr, 6)))).hasSize(1203);
      assertThat(
              ((Reply) rig.answer(withSerial(ask("example.org", "IXFR", QueryTransport.UDP), 6)))
                  .answer())
          .hasSize(1);
    }
  }

  @Test
  void otherServersAreToldOfTheZone() throws Exception {
    try (DatagramSocket secondary = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      secondary.setSoTimeout(60_000);
      try (Rig rig = rig("127.0.0.1:" + secondary.getLocalPort()).realTime().start()) {
        DatagramPacket packet = new DatagramPacket(new byte[512], 512);
        secondary.receive(packet);
        DnsMessage told = DnsMessage.read(packet.getData(), 0, packet.getLength());
        assertThat(told.header().opcode()).isEqualTo(4);
        assertThat(told.questions().getFirst()).hasToString("example.org. IN SOA");
        assertThat(told.answer()).hasSize(1);
        assertThat(rig.plugins()).hasSize(2);
        packet.getData()[2] |= (byte) 0x80;
        secondary.send(
            new DatagramPacket(packet.getData(), packet.getLength(), packet.getSocketAddress()));
      }
    }
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new Rig("transfer {\n too *\n}", Rig.refusing()))
        .hasMessageContaining("did you mean 'to'?");
    assertThatThrownBy(() -> new Rig("transfer", Rig.refusing()))
        .hasMessageContaining("at least one 'to");
    assertThatThrownBy(() -> new Rig("transfer {\n to there\n}", Rig.refusing()))
        .hasMessageContaining("neither an IP address nor *");
  }
}
