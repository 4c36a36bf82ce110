package io.fairlead.dns.golden;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.wire.WireException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The server behind `forward` while the golden answers were recorded: authoritative for a handful
/// of names, over UDP and TCP. Writes names in full, because what fits into a packet was recorded
/// that way.
final class GoldenUpstream implements AutoCloseable {
  private static final Map<String, List<ResourceRecord>> RECORDS = new HashMap<>();
  private static final ResourceRecord SOA =
      soa("example.net.", "ns1.example.net.", "host.example.net.", 2026);
  private static final ResourceRecord REVERSE = soa("arpa.", "a.root.test.", "host.root.test.", 7);
  private static final ResourceRecord ROOT = soa(".", "a.root.test.", "host.root.test.", 7);

  static {
    address("db.example.net.", 120, "192.0.2.80", "2001:db8:80::1");
    address("v4only.example.net.", 120, "192.0.2.81");
    alias("www.example.net.", 90, "web.example.net.");
    address("web.example.net.", 60, "192.0.2.82", "192.0.2.83");
    add(SOA);
    add(record("example.net.", 300, RecordData.ns(Name.of("ns1.example.net."))));
    add(record("example.net.", 300, new RecordData.Mx(10, Name.of("db.example.net."))));
    address("ns1.example.net.", 300, "192.0.2.53");
    add(record("text.example.net.", 10, RecordData.txt("hello")));
    add(record("text.example.net.", 10, RecordData.txt("x".repeat(200))));
    address("low.example.net.", 1, "192.0.2.84");
    address("zero.example.net.", 0, "192.0.2.85");
    address("high.example.net.", 86_400, "192.0.2.86");
    alias("back.example.net.", 60, "crane.harbor.svc.cluster.local.");
    alias("cname-nx.example.net.", 60, "nope.example.net.");
    for (int i = 1; i <= 100; i++) {
      address("large.example.net.", 60, "192.0.2." + i);
    }
    address("rec.example.org.", 90, "192.0.2.90");
    add(record("1.2.0.192.in-addr.arpa.", 300, RecordData.ptr(Name.of("db.example.net."))));
  }

  private final DatagramSocket udp;
  private final ServerSocket tcp;

  GoldenUpstream() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    tcp = new ServerSocket(0, 50, loopback);
    udp = new DatagramSocket(tcp.getLocalPort(), loopback);
    Thread.ofVirtual().name("upstream-udp").start(this::udp);
    Thread.ofVirtual().name("upstream-tcp").start(this::tcp);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) tcp.getLocalSocketAddress();
  }

  @Override
  public void close() throws IOException {
    udp.close();
    tcp.close();
  }

  private void udp() {
    byte[] buffer = new byte[65_535];
    while (!udp.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        udp.receive(packet);
        byte[] reply = answer(Arrays.copyOf(buffer, packet.getLength()), false);
        if (reply.length > 0) {
          udp.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
        }
      } catch (IOException e) {
        return;
      }
    }
  }

  private void tcp() {
    while (!tcp.isClosed()) {
      try {
        Socket client = tcp.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void serve(Socket client) {
    try (client;
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
      while (true) {
        byte[] packet = new byte[in.readUnsignedShort()];
        in.readFully(packet);
        byte[] reply = answer(packet, true);
        if (reply.length > 0) {
          out.writeShort(reply.length);
          out.write(reply);
          out.flush();
        }
      }
    } catch (EOFException e) {
      // The client is done.
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Nothing means silence.
  private static byte[] answer(byte[] packet, boolean stream) {
    try {
      DnsMessage query = DnsMessage.read(packet);
      Name name = query.questions().getFirst().name();
      String text = name.toString().toLowerCase(Locale.ROOT);
      if (text.startsWith("silent.")) {
        return new byte[0];
      }
      List<ResourceRecord> answer = new ArrayList<>();
      List<ResourceRecord> authority = new ArrayList<>();
      int rcode = text.startsWith("servfail.") ? 2 : text.startsWith("refused.") ? 5 : 0;
      if (rcode == 0) {
        rcode = look(query, name, answer, authority);
      }
      return write(query, text, rcode, answer, authority, stream);
    } catch (WireException e) {
      return new byte[0];
    }
  }

  private static int look(
      DnsMessage query, Name asked, List<ResourceRecord> answer, List<ResourceRecord> authority) {
    int type = query.questions().getFirst().type();
    String first = asked.toString().toLowerCase(Locale.ROOT);
    ResourceRecord soa =
        first.endsWith("example.net.") ? SOA : first.endsWith("arpa.") ? REVERSE : ROOT;
    Name owner = asked;
    for (int i = 0; i < 8; i++) {
      String name = owner.toString().toLowerCase(Locale.ROOT);
      List<ResourceRecord> known = RECORDS.get(name);
      if (known == null) {
        if (name.endsWith("cluster.local.")) {
          return 0;
        }
        authority.add(soa);
        boolean inside =
            name.equals(".") || RECORDS.keySet().stream().anyMatch(k -> k.endsWith("." + name));
        return inside ? 0 : 3;
      }
      Name current = owner;
      List<ResourceRecord> hits =
          known.stream()
              .filter(each -> each.type() == type || type == RecordType.ANY)
              .map(each -> each.withOwner(current))
              .toList();
      if (!hits.isEmpty()) {
        answer.addAll(hits);
        return 0;
      }
      if (known.getFirst().type() != RecordType.CNAME) {
        authority.add(soa);
        return 0;
      }
      answer.add(known.getFirst().withOwner(owner));
      owner = ((RecordData.Target) known.getFirst().data()).name();
    }
    return 0;
  }

  private static byte[] write(
      DnsMessage query,
      String name,
      int rcode,
      List<ResourceRecord> answer,
      List<ResourceRecord> authority,
      boolean stream) {
    Edns edns = query.edns();
    int limit = stream ? 65_535 : edns == null ? 512 : Math.max(512, edns.udpSize());
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(query.questions().getFirst().name().toWire());
    u16(body, query.questions().getFirst().type());
    u16(body, query.questions().getFirst().recordClass());
    int answers = 0;
    int authorities = 0;
    boolean cut = false;
    for (ResourceRecord each : concat(answer, authority)) {
      byte[] wire = wire(each);
      if (12 + body.size() + wire.length + (edns == null ? 0 : 11) > limit) {
        cut = true;
        break;
      }
      body.writeBytes(wire);
      if (answers < answer.size()) {
        answers++;
      } else {
        authorities++;
      }
    }
    boolean recursive = name.endsWith("example.org.");
    int flags =
        (recursive ? Header.QR | Header.RA : Header.QR | Header.AA)
            | (query.header().flags() & (Header.RD | Header.CD))
            | (cut ? Header.TC : 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    u16(out, query.header().id());
    u16(out, flags | rcode);
    u16(out, 1);
    u16(out, answers);
    u16(out, authorities);
    u16(out, edns == null ? 0 : 1);
    out.writeBytes(body.toByteArray());
    if (edns != null) {
      out.write(0);
      u16(out, RecordType.OPT);
      u16(out, 1232);
      u16(out, 0);
      u16(out, edns.dnssecOk() ? 0x8000 : 0);
      u16(out, 0);
    }
    return out.toByteArray();
  }

  private static List<ResourceRecord> concat(
      List<ResourceRecord> answer, List<ResourceRecord> authority) {
    List<ResourceRecord> all = new ArrayList<>(answer);
    all.addAll(authority);
    return all;
  }

  /// A record alone in a message has nothing to point to but itself.
  private static byte[] wire(ResourceRecord each) {
    byte[] message =
        new DnsMessage(
                new Header(0, 0, 0, 0),
                List.of(),
                List.of(each.withOwner(Name.ROOT)),
                List.of(),
                List.of(),
                null)
            .write(65_535);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(each.owner().toWire());
    out.write(message, 13, 8);
    byte[] data = plain(each.data(), Arrays.copyOfRange(message, 23, message.length));
    u16(out, data.length);
    out.writeBytes(data);
    return out.toByteArray();
  }

  private static byte[] plain(RecordData data, byte[] written) {
    if (!(data instanceof RecordData.Soa soa)) {
      return written;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(soa.server().toWire());
    out.writeBytes(soa.mailbox().toWire());
    out.writeBytes(Arrays.copyOfRange(written, written.length - 20, written.length));
    return out.toByteArray();
  }

  private static void u16(ByteArrayOutputStream out, int value) {
    out.write(value >> 8);
    out.write(value);
  }

  private static ResourceRecord record(String owner, int ttl, RecordData data) {
    return ResourceRecord.in(Name.of(owner), ttl, data);
  }

  private static ResourceRecord soa(String zone, String server, String mailbox, int serial) {
    return record(
        zone,
        300,
        new RecordData.Soa(Name.of(server), Name.of(mailbox), serial, 7200, 1800, 86_400, 60));
  }

  private static void add(ResourceRecord each) {
    RECORDS.computeIfAbsent(each.owner().toString(), _ -> new ArrayList<>()).add(each);
  }

  private static void address(String owner, int ttl, String... texts) {
    for (String text : texts) {
      add(record(owner, ttl, new RecordData.Address(IpAddress.parse(text))));
    }
  }

  private static void alias(String owner, int ttl, String target) {
    add(record(owner, ttl, RecordData.cname(Name.of(target))));
  }
}
