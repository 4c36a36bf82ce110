package io.fairlead.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fairlead.api.net.IpAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bytes that are no message: damaged ones, cut ones, random ones. A failure prints its seed.
class WireFuzzTest {
  private static final int ROUNDS = 50_000;
  private static final int GUARD = 0x5a;

  private static byte[] valid(Random random) {
    Name name = Name.of("_http._tcp.web" + random.nextInt(50) + ".shop.svc.cluster.local");
    Question question = new Question(name, random.nextInt(70), 1 + random.nextInt(3));
    ResourceRecord address = ResourceRecord.address(name, 30, IpAddress.parse("10.1.2.3"));
    ResourceRecord srv =
        ResourceRecord.in(name, 30, new RecordData.Srv(0, 1, 80, name.parent().parent()));
    ResourceRecord txt = ResourceRecord.in(name.parent(), 5, RecordData.txt("a", "bb"));
    ResourceRecord soa =
        ResourceRecord.in(
            name.skip(4), 5, new RecordData.Soa(name.skip(5), name.skip(4), 7, 1, 2, 3, 4));
    EdnsOption option = EdnsOption.error(14, "not yet");
    boolean query = random.nextBoolean();
    return new DnsMessage(
            new Header(random.nextInt(65_536), 0, query ? 0 : Header.QR, 0),
            List.of(question),
            query ? List.of() : List.of(address, srv),
            query ? List.of() : List.of(soa),
            query ? List.of() : List.of(txt, address),
            random.nextBoolean() ? new Edns(1232, 0, true, List.of(option)) : null)
        .write(65_535);
  }

  private static byte[] damaged(Random random) {
    byte[] bytes = valid(random);
    switch (random.nextInt(5)) {
      case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      case 1 -> random.nextBytes(bytes);
      case 2 -> bytes[random.nextInt(12)] = (byte) random.nextInt();
      case 3 -> bytes[random.nextInt(bytes.length)] = (byte) (0xc0 | random.nextInt(64));
      default -> {
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void badBytesGiveTypedErrors(long seed) {
    Random random = new Random(seed);
    QueryView view = new QueryView();
    int read = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = damaged(random);
      // Behind the end lies something else, as in a buffer that is used again.
      byte[] buffer = Arrays.copyOf(bytes, bytes.length + 300);
      Arrays.fill(buffer, bytes.length, buffer.length, (byte) GUARD);
      QueryView.Verdict verdict = view.read(buffer, bytes.length);
      try {
        DnsMessage message = DnsMessage.read(buffer, 0, bytes.length);
        read++;
        if (!DnsMessage.read(message.write(65_535)).equals(message)) {
          fail("seed " + seed + " round " + i + ": " + message + " changes when written");
        }
      } catch (WireException e) {
        if (verdict == QueryView.Verdict.ACCEPT) {
          fail("seed " + seed + " round " + i + ": accepted what cannot be read");
        }
      }
      if (verdict == QueryView.Verdict.ACCEPT) {
        if (view.questionEnd() > bytes.length || view.name().labelCount() != view.labelCount()) {
          fail("seed " + seed + " round " + i + ": the question leaves the packet");
        }
      }
    }
    assertThat(read).as("messages that survived").isGreaterThan(ROUNDS / 20);
  }
}
