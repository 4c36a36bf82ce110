package io.fairlead.agent.spdy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;

/// The framing against itself, against Netty's, and against nonsense.
class FramesTest {
  private static final Map<String, String> HEADERS =
      Map.of("streamtype", "data", "port", "8080", "requestid", "0");

  /// zlib names a dictionary by this sum; every peer has the same.
  @Test
  void theDictionaryIsThatOfTheProtocol() {
    Adler32 sum = new Adler32();
    sum.update(SpdyHeaderDictionary.bytes());
    assertThat(SpdyHeaderDictionary.bytes()).hasSize(1423);
    assertThat(sum.getValue()).isEqualTo(0xe3c6a7c2L);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      List<Frame> sent = new ArrayList<>();
      try (FrameWriter writer = new FrameWriter(wire)) {
        for (int i = 0; i < 20; i++) {
          sent.add(write(writer, random));
        }
      }
      try (FrameReader reader = new FrameReader(new ByteArrayInputStream(wire.toByteArray()))) {
        for (Frame frame : sent) {
          assertThat(reader.next()).isEqualTo(frame);
        }
        assertThat(reader.next()).isNull();
      }
    }
  }

  private static Frame write(FrameWriter writer, Random random) throws IOException {
    int stream = random.nextInt(Integer.MAX_VALUE);
    boolean last = random.nextBoolean();
    Map<String, String> headers = new TreeMap<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      headers.put("h" + random.nextInt(1000), Long.toString(random.nextLong(), 36));
    }
    switch (random.nextInt(5)) {
      case 0 -> {
        writer.synStream(stream, last, headers);
        return new Frame.SynStream(stream, last, headers);
      }
      case 1 -> {
        writer.synReply(stream, last, headers);
        return new Frame.SynReply(stream, last, headers);
      }
      case 2 -> {
        writer.reset(stream, 5);
        return new Frame.Reset(stream, 5);
      }
      case 3 -> {
        writer.ping(stream);
        return new Frame.Ping(stream);
      }
      default -> {
        byte[] bytes = new byte[random.nextInt(FrameReader.LARGEST_PIECE)];
        random.nextBytes(bytes);
        writer.data(stream, last, bytes, 0, bytes.length);
        return new Frame.Data(stream, last, ByteBuffer.wrap(bytes));
      }
    }
  }

  @Test
  void longDataComesInPiecesAndOnlyTheLastSaysSo() throws IOException {
    byte[] bytes = new byte[100_000];
    new Random(3).nextBytes(bytes);
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    try (FrameWriter writer = new FrameWriter(wire)) {
      writer.data(1, true, bytes, 0, bytes.length);
    }
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (FrameReader reader = new FrameReader(new ByteArrayInputStream(wire.toByteArray()))) {
      boolean last = false;
      for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
        assertThat(last).isFalse();
        Frame.Data data = (Frame.Data) frame;
        last = data.last();
        read.write(data.bytes().array(), data.bytes().position(), data.bytes().remaining());
      }
      assertThat(last).isTrue();
    }
    assertThat(read.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void framesOfNettyAreRead() throws IOException {
    EmbeddedChannel netty = new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
    for (int id = 1; id < 9; id += 2) {
      DefaultSpdySynStreamFrame syn = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
      HEADERS.forEach((name, value) -> syn.headers().add(name, value));
      syn.setLast(id == 7);
      netty.writeOutbound(syn);
    }
    netty.writeOutbound(
        new DefaultSpdyDataFrame(1, Unpooled.copiedBuffer("hi", StandardCharsets.UTF_8)));
    netty.writeOutbound(new DefaultSpdyRstStreamFrame(3, 5));
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    for (ByteBuf part = netty.readOutbound(); part != null; part = netty.readOutbound()) {
      part.readBytes(wire, part.readableBytes());
      part.release();
    }
    try (FrameReader reader = new FrameReader(new ByteArrayInputStream(wire.toByteArray()))) {
      for (int id = 1; id < 9; id += 2) {
        assertThat(reader.next()).isEqualTo(new Frame.SynStream(id, id == 7, HEADERS));
      }
      assertThat(reader.next())
          .isEqualTo(
              new Frame.Data(1, false, ByteBuffer.wrap("hi".getBytes(StandardCharsets.UTF_8))));
      assertThat(reader.next()).isEqualTo(new Frame.Reset(3, 5));
      assertThat(reader.next()).isNull();
    }
    netty.finishAndReleaseAll();
  }

  @Test
  void nettyReadsOurFrames() throws IOException {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    try (FrameWriter writer = new FrameWriter(wire)) {
      writer.synStream(1, false, HEADERS);
      writer.synReply(1, true, Map.of("streamtype", "error"));
    }
    EmbeddedChannel netty = new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
    netty.writeInbound(Unpooled.wrappedBuffer(wire.toByteArray()));
    SpdySynStreamFrame syn = netty.readInbound();
    assertThat(syn.streamId()).isEqualTo(1);
    HEADERS.forEach((name, value) -> assertThat(syn.headers().get(name)).hasToString(value));
    SpdySynReplyFrame reply = netty.readInbound();
    assertThat(reply.isLast()).isTrue();
    assertThat(reply.headers().get("streamtype")).hasToString("error");
    netty.finishAndReleaseAll();
  }

  /// Whatever comes, it ends in an answer or in a failure that is told, never in anything else.
  @Test
  void nonsenseIsRefused() throws IOException {
    Random random = new Random(11);
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    try (FrameWriter writer = new FrameWriter(wire)) {
      for (int i = 0; i < 10; i++) {
        write(writer, random);
      }
    }
    byte[] good = wire.toByteArray();
    int refused = 0;
    for (int round = 0; round < 3000; round++) {
      byte[] bytes = good.clone();
      for (int i = random.nextInt(20); i >= 0; i--) {
        bytes[random.nextInt(Math.min(bytes.length, 4000))] = (byte) random.nextInt();
      }
      int length = random.nextInt(bytes.length);
      try (FrameReader reader = new FrameReader(new ByteArrayInputStream(bytes, 0, length))) {
        for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
          assertThat(frame).isNotNull();
        }
      } catch (IOException _) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aBombIsRefused() throws IOException {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    try (FrameWriter writer = new FrameWriter(wire)) {
      writer.synStream(1, false, Map.of("x", "y".repeat(10_000_000)));
    }
    try (FrameReader reader = new FrameReader(new ByteArrayInputStream(wire.toByteArray()))) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(SpdyException.class)
          .hasMessageContaining("header block of more than");
    }
  }
}
