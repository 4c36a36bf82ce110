package io.fairlead.kernel.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NetlinkCodecTest {
  @Test
  void whatIsWrittenIsReadBack() {
    NetlinkMessageWriter writer = new NetlinkMessageWriter(16);
    int first = writer.beginNetfilter(10, 3, NetlinkConstants.FLAG_REQUEST, 7, 2, 10);
    writer.string(1, "täble");
    int nest = writer.nest(2);
    writer.u8(1, 200);
    writer.be16(2, 30080);
    writer.be32(3, 0xcafebabe);
    writer.be64(4, Long.MIN_VALUE);
    writer.u16(5, 65535);
    writer.u32(6, -1);
    writer.bytes(7, new byte[] {1, 2, 3, 4, 5});
    writer.close(nest);
    writer.end(first);
    int second = writer.begin(3, 2, 8);
    writer.putInt(0);
    writer.end(second);

    NetlinkMessageReader messages = NetlinkMessageReader.of(writer.toByteArray());
    assertThat(messages.next()).isTrue();
    assertThat(messages.subsystem()).isEqualTo(10);
    assertThat(messages.operation()).isEqualTo(3);
    assertThat(messages.sequence()).isEqualTo(7);
    assertThat(messages.headerByte(0)).isEqualTo(2);
    NetlinkAttributeReader attributes = messages.attributes(4);
    assertThat(attributes.next()).isTrue();
    assertThat(attributes.string()).isEqualTo("täble");
    assertThat(attributes.next()).isTrue();
    assertThat(attributes.type()).isEqualTo(2);
    NetlinkAttributeReader nested = attributes.nested();
    assertThat(nested.next() ? nested.u8() : -1).isEqualTo(200);
    assertThat(nested.next() ? nested.be16() : -1).isEqualTo(30080);
    assertThat(nested.next() ? nested.be32() : -1).isEqualTo(0xcafebabe);
    assertThat(nested.next() ? nested.be64() : -1).isEqualTo(Long.MIN_VALUE);
    assertThat(nested.next() ? nested.u16() : -1).isEqualTo(65535);
    assertThat(nested.next() ? nested.u32() : 0).isEqualTo(-1);
    assertThat(nested.next() ? nested.bytes() : new byte[0]).containsExactly(1, 2, 3, 4, 5);
    assertThat(nested.next()).isFalse();
    assertThat(attributes.next()).isFalse();
    assertThat(messages.next()).isTrue();
    assertThat(messages.type()).isEqualTo(NetlinkConstants.TYPE_DONE);
    assertThat(messages.next()).isFalse();
  }

  @Test
  void theWriterGrowsAndIsUsedAgain() {
    NetlinkMessageWriter writer = new NetlinkMessageWriter(16);
    for (int round = 0; round < 2; round++) {
      writer.clear();
      for (int i = 0; i < 1000; i++) {
        int start = writer.begin(100, 0, i);
        writer.string(1, "x".repeat(i));
        writer.end(start);
      }
      NetlinkMessageReader messages = NetlinkMessageReader.of(writer.toByteArray());
      for (int i = 0; i < 1000; i++) {
        assertThat(messages.next()).isTrue();
        NetlinkAttributeReader attributes = messages.attributes(0);
        assertThat(attributes.next()).isTrue();
        assertThat(attributes.string()).hasSize(i);
      }
    }
  }

  @Test
  void anAttributeLongerThanItsLengthFieldIsRefused() {
    NetlinkMessageWriter writer = new NetlinkMessageWriter();
    writer.begin(1, 0, 1);
    assertThatThrownBy(() -> writer.bytes(1, new byte[70_000]))
        .hasMessageContaining("an attribute of 70004 bytes");
  }

  @Test
  void lengthsThatPointOutsideAreRefused() {
    byte[] message = new byte[20];
    message[0] = 40;
    assertThatThrownBy(() -> NetlinkMessageReader.of(message).next())
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a message says it is 40 bytes long, 20 are left");
    assertThatThrownBy(() -> NetlinkAttributeReader.of(new byte[] {9, 0, 1, 0, 5}).next())
        .hasMessage("an attribute says it is 9 bytes long, 5 are left");
    NetlinkAttributeReader shortNumber = NetlinkAttributeReader.of(new byte[] {6, 0, 1, 0, 5, 5});
    assertThat(shortNumber.next()).isTrue();
    assertThatThrownBy(shortNumber::be32).hasMessage("attribute 1 has 2 bytes, needed are 4");
  }

  @Test
  void randomBytesNeverBreakOut() {
    Random random = new Random(4);
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(96)];
      random.nextBytes(bytes);
      if (bytes.length >= 2 && random.nextBoolean()) {
        bytes[0] = (byte) random.nextInt(96);
        bytes[1] = 0;
        if (bytes.length >= 4) {
          bytes[2] = 0;
          bytes[3] = 0;
        }
      }
      try {
        read += walk(NetlinkMessageReader.of(bytes));
      } catch (MalformedMessageException e) {
        assertThat(e).hasMessageMatching("(?s).*bytes.*");
      }
    }
    assertThat(read).isPositive();
  }

  private static int walk(NetlinkMessageReader messages) {
    int read = 0;
    while (messages.next()) {
      read++;
      if (messages.isAnswer()) {
        messages.errno();
        messages.text();
      }
      NetlinkAttributeReader attributes = messages.attributes(4);
      while (attributes.next()) {
        attributes.string();
        NetlinkAttributeReader nested = attributes.nested();
        while (nested.next()) {
          nested.u8();
          nested.be64();
        }
      }
    }
    return read;
  }
}
