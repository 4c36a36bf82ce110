package io.fairlead.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.ApiServer;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.store.testing.MemoryStore;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// A user who may write a Node and use `nodes/proxy` points it at the API server itself, to be
/// served as the server's own user. No way of writing the address leads there.
class NodeLoopbackAttackTest {
  @TempDir Path directory;

  /// One Node with that address and port, the API at 192.0.2.1:6443, Services in 10.96.0.0/12.
  private record Cluster(String address, int port) implements ClusterReader {
    @Override
    public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
      return switch (plural) {
        case "nodes" ->
            tree(
                "{'status':{'addresses':[{'type':'InternalIP','address':'"
                    + address
                    + "'}],'daemonEndpoints':{'kubeletEndpoint':{'Port':"
                    + port
                    + "}}}}");
        case "endpoints" ->
            tree("{'subsets':[{'addresses':[{'ip':'192.0.2.1'}],'ports':[{'port':6443}]}]}");
        default -> null;
      };
    }

    @Override
    public List<ObjectNode> list(String group, String plural, String namespace) {
      return plural.equals("servicecidrs")
          ? List.of(tree("{'spec':{'cidrs':['10.96.0.0/12','fd00:10:96::/112']}}"))
          : List.of();
    }

    @Override
    public boolean isClaimed(String key) {
      return false;
    }

    @Override
    public List<Map<String, String>> labels(String group, String plural, String namespace) {
      return List.of();
    }

    private static ObjectNode tree(String text) {
      return (ObjectNode) Json.mapper().readTree(text.replace('\'', '"'));
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.254",
        "127.1",
        "2130706433",
        "localhost",
        "::1",
        "[::1]",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::127.0.0.1",
        "0.0.0.0",
        "0.0.0.1",
        "::",
        "169.254.169.254",
        "fd00:ec2::254",
        "fd00:0ec2:0:0::0254",
        "100.100.100.200",
        "::ffff:169.254.169.254",
        "fe80::1",
        "224.0.0.1",
        "ff02::1",
        "255.255.255.255",
        "0177.0.0.1",
        "0x7f.1",
        "127.0.0.1.",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "fec0::1",
        "fe80::1%lo",
        "::1%lo",
        "10.96.0.1",
        "::ffff:10.96.0.1",
        "fd00:10:96::1",
        "192.0.2.1",
        "::ffff:192.0.2.1",
        ""
      })
  void aNodeIsNotReachedThere(String address) {
    assertThatThrownBy(() -> directory(address, 6443).connect("n"))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.status().code()).isEqualTo(400);
              assertThat(refused.status().message()).contains("address not allowed");
            });
  }

  @Test
  void theServersOwnPortIsNoNodeOnAnyAddressOfThisMachine() throws Exception {
    for (String address : ownAddresses().toList()) {
      NodeDirectory nodes = directory(address, 7443);
      nodes.addOwnPort(7443);
      assertThatThrownBy(() -> nodes.connect("n"))
          .as(address)
          .hasMessageContaining("address not allowed");
    }
  }

  static Stream<String> ownAddresses() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(each -> each instanceof Inet4Address)
        .map(InetAddress::getHostAddress);
  }

  static Stream<Boolean> fingerprints() {
    return Stream.of(true, false);
  }

  @ParameterizedTest(name = "with its fingerprint: {0}")
  @MethodSource("fingerprints")
  void theServerNeverShowsItsClientCertificateToItself(boolean fingerprint) throws Exception {
    ApiServerConfig config = ApiServerConfig.defaults(directory).change().securePort(0).build();
    try (MemoryStore store = new MemoryStore();
        ApiServer server = ApiServer.start(config, store)) {
      Pki pki = Pki.open(directory, PkiOptions.of(config, InstantSource.system()));
      byte[] certificate = pki.servingCertificate().getEncoded();
      String named =
          fingerprint
              ? HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate))
              : "";
      NodeTls tls = new NodeTls(pki.nodeClient(), pki.authority(), pki::servingCertificate);
      NodeServerEndpoint own =
          new NodeServerEndpoint(
              "n", "127.0.0.1", InetAddress.getLoopbackAddress(), server.port(), named);
      assertThatThrownBy(
              () -> {
                try (Socket _ = tls.connect(own)) {
                  throw new AssertionError("connected");
                }
              })
          .hasStackTraceContaining("this is an API server and no node");
    }
  }

  private NodeDirectory directory(String address, int port) throws Exception {
    Pki pki =
        Pki.open(
            directory, PkiOptions.of(ApiServerConfig.defaults(directory), InstantSource.system()));
    NodeTls tls = new NodeTls(pki.nodeClient(), pki.authority(), pki::servingCertificate);
    return new NodeDirectory(new Cluster(address, port), Optional.of(tls));
  }
}
