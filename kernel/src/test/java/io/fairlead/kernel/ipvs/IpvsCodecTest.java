package io.fairlead.kernel.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.netlink.GenericNetlinkFamily;
import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.testing.RecordedBytes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What we write to IPVS: the vectors of spec/proxy.md 7.6 byte by byte, and the values `ipvsadm`
/// sends for the same.
class IpvsCodecTest {
  private static final GenericNetlinkFamily FAMILY = new GenericNetlinkFamily("IPVS", 0x1d, 1);
  private static final VirtualServer SERVICE =
      new VirtualServer(endpoint("10.0.1.175", 80, 6), "rr", 0, 0);
  private static final VirtualServer SERVICE6 =
      new VirtualServer(endpoint("fd00:96::1", 443, 6), "rr", 0, 0);
  private static final VirtualServer STICKY =
      new VirtualServer(
          endpoint("10.0.1.175", 53, 17),
          "mh",
          VirtualServer.PERSISTENT | VirtualServer.SCHEDULER_PORT,
          10800);

  private record Row(String name, int command, Consumer<NetlinkMessageWriter> write) {
    Row(String name, IpvsChange change) {
      this(name, IpvsCodec.command(change), out -> IpvsCodec.write(out, change));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static VirtualServerAddress endpoint(String address, int port, int protocol) {
    return new VirtualServerAddress(IpPrefix.parse(address).address(), port, protocol);
  }

  private static RealServer real(String address, int port, int weight) {
    return new RealServer(IpPrefix.parse(address).address(), port, weight);
  }

  static Stream<Row> vectors() {
    return Stream.of(
        new Row(
            "010100004800010006000100020000000600020006000000080003000a0001af060004000050000007000600"
                + "727200000c00070000000000ffffffff080008000000000008000900ffffffff",
            new IpvsChange.AddServer(SERVICE)),
        new Row(
            "050100004800010006000100020000000600020006000000080003000a0001af060004000050000007000600"
                + "727200000c00070000000000ffffffff080008000000000008000900ffffffff"
                + "34000200080001000af403060600020024a0000008000300000000000800040001000000080005000000"
                + "00000800060000000000",
            new IpvsChange.AddReal(SERVICE, real("10.244.3.6", 9376, 1))));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void vectors13And14HoldByteByByte(Row row) {
    assertThat(HexFormat.of().formatHex(generic(row))).isEqualTo(row.name);
  }

  static Stream<Row> recorded() {
    return Stream.of(
        new Row("ipvs-add4", new IpvsChange.AddServer(SERVICE)),
        new Row("ipvs-addreal4", new IpvsChange.AddReal(SERVICE, real("10.244.3.6", 9376, 1))),
        new Row("ipvs-setreal4", new IpvsChange.SetReal(SERVICE, real("10.244.3.6", 9376, 0))),
        new Row("ipvs-persistent", new IpvsChange.AddServer(STICKY)),
        new Row(
            "ipvs-set4",
            new IpvsChange.SetServer(new VirtualServer(SERVICE.endpoint(), "wlc", 0, 0))),
        new Row("ipvs-add6", new IpvsChange.AddServer(SERVICE6)),
        new Row("ipvs-addreal6", new IpvsChange.AddReal(SERVICE6, real("fd00:64::7", 6443, 1))),
        new Row(
            "ipvs-timeouts",
            IpvsCodec.SET_CONFIG,
            out -> IpvsCodec.timeouts(out, new IpvsTimeouts(900, 120, 300))));
  }

  /// `ipvsadm` pads addresses to 16 bytes, sends tunnel settings that were not asked for, and no
  /// scheduler with a real server; apart from that the values are the same.
  @ParameterizedTest
  @MethodSource("recorded")
  void theValuesAreThoseOfIpvsadm(Row row) {
    byte[] bytes = RecordedBytes.bytes(row.name);
    assertThat(bytes[0]).as("command").isEqualTo((byte) row.command);
    Map<String, byte[]> theirs = values(bytes);
    Map<String, byte[]> ours = values(generic(row));
    ours.forEach(
        (path, value) -> {
          if (path.equals("1/6") && theirs.containsKey("2/1")) {
            return;
          }
          assertThat(theirs).containsKey(path);
          byte[] other = theirs.getOrDefault(path, new byte[0]);
          assertThat(Arrays.copyOf(value, Math.max(value.length, other.length)))
              .as(path)
              .isEqualTo(other);
        });
  }

  private static byte[] generic(Row row) {
    NetlinkMessageWriter out = new NetlinkMessageWriter();
    int start = FAMILY.begin(out, row.command, 0, 1);
    row.write.accept(out);
    out.end(start);
    return Arrays.copyOfRange(out.toByteArray(), 16, out.size());
  }

  /// Values by the numbers of the attributes that lead to them. In messages about servers the outer
  /// attributes are nests.
  private static Map<String, byte[]> values(byte[] generic) {
    Map<String, byte[]> values = new TreeMap<>();
    NetlinkAttributeReader outer =
        NetlinkAttributeReader.of(Arrays.copyOfRange(generic, 4, generic.length));
    while (outer.next()) {
      if (outer.type() > 2) {
        values.put(String.valueOf(outer.type()), outer.bytes());
        continue;
      }
      int type = outer.type();
      NetlinkAttributeReader inner = outer.nested();
      while (inner.next()) {
        values.put(type + "/" + inner.type(), inner.bytes());
      }
    }
    return values;
  }

  @Test
  void whatIsWrittenCanBeRead() {
    NetlinkMessageWriter out = new NetlinkMessageWriter();
    int start = FAMILY.begin(out, IpvsCodec.NEW_SERVICE, 0, 1);
    IpvsCodec.write(out, new IpvsChange.AddReal(STICKY, real("10.1.2.3", 8053, 7)));
    out.end(start);
    NetlinkMessageReader message = NetlinkMessageReader.of(out.toByteArray());
    assertThat(message.next()).isTrue();
    assertThat(IpvsCodec.server(message))
        .isEqualTo(new ListedVirtualServer(STICKY, IpvsStatistics.NONE));
    assertThat(IpvsCodec.real(message, VirtualServerAddress.IPV4).server())
        .isEqualTo(real("10.1.2.3", 8053, 7));
  }

  @Test
  void theKernelsOwnFlagIsNoDifference() {
    assertThat(new VirtualServer(SERVICE.endpoint(), "rr", 0x2, 0)).isEqualTo(SERVICE);
  }

  @Test
  void brokenBytesGiveATypedError() {
    NetlinkMessageWriter out = new NetlinkMessageWriter();
    int start = FAMILY.begin(out, IpvsCodec.NEW_SERVICE, 0, 1);
    IpvsCodec.write(out, new IpvsChange.AddReal(STICKY, real("10.1.2.3", 8053, 7)));
    out.end(start);
    byte[] good = out.toByteArray();
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = good.clone();
      int at = 20 + random.nextInt(bad.length - 20);
      bad[at] = (byte) random.nextInt();
      NetlinkMessageReader message = NetlinkMessageReader.of(bad);
      message.next();
      try {
        IpvsCodec.server(message);
        IpvsCodec.real(message, VirtualServerAddress.IPV4);
      } catch (MalformedMessageException e) {
        assertThat(e).hasMessageMatching(".+");
      }
    }
    NetlinkMessageReader empty = NetlinkMessageReader.of(Arrays.copyOf(good, 20));
    assertThatThrownBy(empty::next).isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void aRefusalSaysWhatAndWhy() {
    IpvsChange add = new IpvsChange.AddServer(new VirtualServer(SERVICE.endpoint(), "twos", 0, 0));
    assertThat(new IpvsChangeFailure(add, Errno.ENOENT, ""))
        .hasToString(
            "add virtual server tcp 10.0.1.175:80 twos: ENOENT (the kernel has no scheduler twos)");
    assertThat(
            new IpvsChangeFailure(
                new IpvsChange.DeleteServer(SERVICE6.endpoint()), Errno.ESRCH, ""))
        .hasToString(
            "delete virtual server tcp [fd00:96:0:0:0:0:0:1]:443: ESRCH (it is not there)");
  }
}
