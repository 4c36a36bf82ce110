package io.fairlead.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.KernelFlowTable;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.Surroundings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A node whose proxy changes modes while clients talk, with real rules and packets.
@Tag("system")
class LiveModeChangeTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
  private static final IpAddress SERVICE = IpAddress.parse("10.112.0.77");
  private static final int PORT = 9000;
  private static final List<ResourceType> TYPES =
      List.of(
          new ResourceType("", "v1", "nodes", "Node", false),
          new ResourceType("", "v1", "services", "Service", true),
          new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true),
          new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false),
          ResourceType.EVENTS);

  @TempDir Path directory;

  private final List<AutoCloseable> open = new ArrayList<>();
  private Lab lab;
  private Client client;
  private ProxyConfiguration configuration;
  private @Nullable ModeChange change;
  private @Nullable Proxy proxy;

  @BeforeEach
  void build() throws Exception {
    lab = Lab.create();
    client = new Client(new FakeApi(TYPES));
    configuration =
        ProxyConfiguration.defaults()
            .with(flag("healthz-bind-address"), "")
            .with(flag("metrics-bind-address"), "")
            .with(flag("bind-address"), FIXTURE.source(Origin.NODE).toString())
            .with(flag("cluster-cidr"), "10.64.0.0/14");
    echo();
    objects();
  }

  private static ProxyFlag flag(String name) {
    return ProxyFlag.find(name).orElseThrow();
  }

  /// A pod that repeats what it hears, for as long as it hears something.
  private void echo() {
    ServerSocket server = lab.namespace(Origin.L1).call(() -> new ServerSocket(PORT));
    open.add(server);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!server.isClosed()) {
                try {
                  Socket socket = server.accept();
                  Thread.ofPlatform().daemon().start(() -> repeat(socket));
                } catch (IOException _) {
                  // Closed.
                  continue;
                }
              }
            });
  }

  private static void repeat(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException _) {
      // The other side went away.
      return;
    }
  }

  private void objects() {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", "shop");
    client.create(ResourceType.NAMESPACES, "", namespace);
    FIXTURE.objects().forEach(this::create);
    ObjectNode service = object("v1", "Service", "kept");
    service
        .putObject("spec")
        .put("clusterIP", SERVICE.toString())
        .putArray("ports")
        .addObject()
        .put("port", 80);
    create(service);
    ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice", "kept-1");
    Json.child(slice, "metadata").putObject("labels").put("kubernetes.io/service-name", "kept");
    slice.put("addressType", "IPv4");
    slice.putArray("ports").addObject().put("name", "").put("port", PORT);
    ObjectNode endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add(FIXTURE.endpoint("L1").toString());
    endpoint.putObject("conditions").put("ready", true);
    create(slice);
  }

  private static ObjectNode object(String apiVersion, String kind, String name) {
    ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("namespace", "shop").put("name", name);
    return object;
  }

  private void create(ObjectNode object) {
    ResourceType type =
        TYPES.stream()
            .filter(each -> each.kind().equals(object.path("kind").asString("")))
            .findFirst()
            .orElseThrow();
    client.create(type, ObjectKey.of(object).namespace(), object);
  }

  private void start(String mode) {
    lab.node()
        .run(
            () -> {
              Sysctls sysctls = new Sysctls(Path.of("/proc/sys"));
              Modes modes = new Modes(configuration, sysctls);
              ModeChange ready = new ModeChange(configuration, modes, sysctls);
              Proxy made =
                  new Proxy(
                      configuration,
                      new Surroundings(
                          client,
                          mode,
                          "node-a",
                          modes.open(mode),
                          new KernelFlowTable(),
                          List.of(FIXTURE.source(Origin.NODE)),
                          InstantSource.system(),
                          Pacing.system(),
                          () -> ready.enter(mode)));
              try {
                made.start();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              change = ready;
              proxy = made;
            });
    await().atMost(LIMIT).until(() -> proxy().isReady());
  }

  private Proxy proxy() {
    return Objects.requireNonNull(proxy);
  }

  private ModeChange changer() {
    return Objects.requireNonNull(change);
  }

  @AfterEach
  void remove() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    if (proxy != null) {
      proxy.close();
    }
    client.close();
    lab.close();
  }

  private ModeChange.Result change(String to) {
    return lab.node().call(() -> changer().change(proxy(), to));
  }

  private Socket connect() throws IOException {
    Socket socket =
        lab.namespace(Origin.POD)
            .call(
                () -> {
                  Socket made = new Socket();
                  made.bind(null);
                  return made;
                });
    open.add(socket);
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket.connect(
        new InetSocketAddress(InetAddress.getByAddress(SERVICE.toBytes()), 80),
        (int) LIMIT.toMillis());
    return socket;
  }

  private static void assertTalks(Socket socket) throws IOException {
    socket.getOutputStream().write('x');
    assertThat(socket.getInputStream().read()).isEqualTo('x');
  }

  /// Everything of netfilter in the node, without what changes by itself.
  private String ruleset() {
    Tool tool = Tool.inside(lab.node(), LIMIT);
    String rules = tool.run("", List.of("nft", "list", "ruleset")).output();
    return rules.replaceAll("packets \\d+ bytes \\d+", "").replaceAll("(?m)^# Warning.*\\n", "");
  }

  /// Words that stand for a mode in the ruleset.
  private static String trace(String mode) {
    return switch (mode) {
      case Modes.IPTABLES -> "KUBE-SERVICES";
      case Modes.NFTABLES -> "fairlead-proxy";
      default -> "fairlead-userspace";
    };
  }

  @Test
  void connectionsLiveOnThroughEveryChangeAndNothingIsLeft() throws Exception {
    start(Modes.IPTABLES);
    List<Socket> kept = new ArrayList<>();
    kept.add(connect());
    assertTalks(kept.getFirst());
    String present = Modes.IPTABLES;
    for (String next :
        List.of(
            Modes.NFTABLES,
            Modes.USERSPACE,
            Modes.IPTABLES,
            Modes.USERSPACE,
            Modes.NFTABLES,
            Modes.IPTABLES)) {
      ModeChange.Result result = change(next);
      assertThat(result.was()).isEqualTo(present);
      assertThat(result.left()).isEmpty();
      assertThat(proxy().mode()).isEqualTo(next);
      for (Socket each : kept) {
        assertTalks(each);
      }
      if (present.equals(Modes.USERSPACE)) {
        assertThat(result.carried()).isEqualTo(1);
      }
      String rules = ruleset();
      for (String mode : List.of(Modes.IPTABLES, Modes.NFTABLES, Modes.USERSPACE)) {
        assertThat(rules.contains(trace(mode)))
            .as(mode + " in " + next)
            .isEqualTo(mode.equals(next));
      }
      Socket another = connect();
      assertTalks(another);
      kept.add(another);
      Attempt attempt =
          lab.call(
              Origin.EXTERNAL,
              FIXTURE.source(Origin.EXTERNAL),
              FIXTURE.source(Origin.NODE),
              30080,
              Protocol.TCP,
              LIMIT);
      assertThat(attempt).isInstanceOf(Attempt.Reached.class);
      present = next;
    }
    assertThat(
            lab.node()
                .call(
                    () ->
                        new Sysctls(Path.of("/proc/sys"))
                            .read("net/ipv4/conf/all/route_localnet", -1)))
        .isEqualTo(1);
  }

  @Test
  void goingThereAndBackLeavesTheRulesAsTheyWere() {
    start(Modes.NFTABLES);
    change(Modes.IPTABLES);
    change(Modes.USERSPACE);
    // Tables that iptables makes for itself stay, empty.
    change(Modes.NFTABLES);
    String before = ruleset();
    change(Modes.USERSPACE);
    change(Modes.IPTABLES);
    change(Modes.NFTABLES);
    assertThat(ruleset()).isEqualTo(before);
  }

  @Test
  void aModeThatCannotBeHadChangesNothing() throws Exception {
    start(Modes.NFTABLES);
    Socket kept = connect();
    String before = ruleset();
    assertThatThrownBy(() -> change("nonsense"))
        .isInstanceOf(DataPlaneException.class)
        .hasMessageContaining("there is no mode \"nonsense\"");
    assertThat(proxy().mode()).isEqualTo(Modes.NFTABLES);
    assertThat(ruleset()).isEqualTo(before);
    assertTalks(kept);
  }

  @Test
  void theModeIsChangedThroughTheSocketOfTheProxy() throws Exception {
    start(Modes.NFTABLES);
    Path path = directory.resolve("run/proxy.sock");
    ControlSocket socket =
        lab.node().call(() -> ControlSocket.open(path, new Orders(proxy(), changer())::answer));
    open.add(socket);
    assertThat(Files.getPosixFilePermissions(path).toString()).doesNotContain("OTHERS", "GROUP");
    assertThat(ControlSocket.ask(path, Json.object()).path("mode").asString(""))
        .isEqualTo("nftables");
    ObjectNode changed = ControlSocket.ask(path, Json.object().put("mode", "userspace"));
    assertThat(changed.path("was").asString("")).isEqualTo("nftables");
    assertThat(proxy().mode()).isEqualTo("userspace");
    assertTalks(connect());
    ObjectNode refused = ControlSocket.ask(path, Json.object().put("mode", "nonsense"));
    assertThat(refused.path("error").asString("")).contains("there is no mode");
    assertThat(refused.path("mode").asString("")).isEqualTo("userspace");
    assertThatThrownBy(() -> ControlSocket.open(path, order -> order))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another proxy answers there");
  }
}
