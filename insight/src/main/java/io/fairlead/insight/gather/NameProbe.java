package io.fairlead.insight.gather;

import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.wire.WireException;
import io.fairlead.insight.evidence.NameAnswer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Asks a DNS server for the addresses of a name, over UDP, twice when it is silent. It never waits
/// long: a silent server is an answer.
public final class NameProbe {
  private static final int TRIES = 2;
  private static final int DNS_PORT = 53;
  private static final int LARGEST = 65_535;

  private final RandomGenerator random;
  private final int limitMillis;

  /// @param random hard to guess
  public NameProbe(RandomGenerator random, int limitMillis) {
    this.random = random;
    this.limitMillis = limitMillis;
  }

  /// @param server an address, or `ADDRESS:PORT`
  /// @param name with its last dot
  public NameAnswer ask(String server, String name) {
    List<String> addresses = new ArrayList<>();
    List<String> aliases = new ArrayList<>();
    String rcode = "";
    int ttl = 0;
    for (int type : List.of(RecordType.A, RecordType.AAAA)) {
      DnsMessage reply = ask(server, name, type);
      if (reply == null) {
        return new NameAnswer(server, name, NameAnswer.NO_ANSWER, List.of(), List.of(), 0);
      }
      for (ResourceRecord each : reply.answer()) {
        if (each.type() == type) {
          addresses.add(each.data().toString());
          ttl = each.ttl();
        } else if (each.type() == RecordType.CNAME) {
          String target = each.data().toString().replaceFirst("\\.$", "");
          if (!aliases.contains(target)) {
            aliases.add(target);
          }
        }
      }
      rcode = rcode.isEmpty() ? Rcode.name(reply.rcode()) : rcode;
    }
    boolean none = addresses.isEmpty() && aliases.isEmpty() && rcode.equals("NOERROR");
    return new NameAnswer(server, name, none ? "NODATA" : rcode, addresses, aliases, ttl);
  }

  private @org.jspecify.annotations.Nullable DnsMessage ask(String server, String name, int type) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return once(server, name, type);
      } catch (IOException | IllegalArgumentException _) {
        // Tried again; a silent server is what the caller wants to know about.
      }
    }
    return null;
  }

  private DnsMessage once(String server, String name, int type) throws IOException {
    int id = random.nextInt(0x10000);
    byte[] query = DnsMessage.query(id, Question.of(name, type), Header.RD, null).write(LARGEST);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(limitMillis);
      socket.connect(address(server));
      socket.send(new DatagramPacket(query, query.length));
      DatagramPacket reply = new DatagramPacket(new byte[LARGEST], LARGEST);
      socket.receive(reply);
      DnsMessage message = DnsMessage.read(Arrays.copyOf(reply.getData(), reply.getLength()));
      if (message.header().id() != id) {
        throw new IOException("a reply to another question");
      }
      return message;
    } catch (WireException e) {
      throw new IOException("not a DNS reply", e);
    }
  }

  private static InetSocketAddress address(String server) {
    int colon = server.lastIndexOf(':');
    boolean port = (colon > 0 && server.indexOf(':') == colon) || server.startsWith("[");
    String host = port ? server.substring(0, colon).replaceAll("^\\[|]$", "") : server;
    return new InetSocketAddress(
        InetAddress.ofLiteral(host),
        port ? Integer.parseInt(server.substring(colon + 1)) : DNS_PORT);
  }
}
