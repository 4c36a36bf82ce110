package io.fairlead.agent.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a containerd of one's own is told about networks.
class ContainerdConfigTest {
  private static final Path HOME = Path.of("/somewhere/containerd");

  private static JsonNode network(Optional<Integer> mtu) {
    List<Cidr> ranges = List.of(Cidr.parse("10.244.1.0/24"), Cidr.parse("fd00:244:1::/64"));
    String text = ContainerdConfig.network(ranges, Path.of("/addresses"), mtu);
    return Json.parse(text.getBytes(StandardCharsets.UTF_8)).path("plugins");
  }

  @Test
  void podsGetCablesThatTakeWhatTheWayAllows() {
    JsonNode cable = network(Optional.of(1450)).path(0);
    assertThat(cable.path("type").asString("")).isEqualTo("ptp");
    assertThat(cable.path("mtu").asInt(0)).isEqualTo(1450);
    assertThat(cable.path("ipMasq").asBoolean(true)).isFalse();
    assertThat(cable.path("ipam").path("ranges").toString())
        .isEqualTo("[[{\"subnet\":\"10.244.1.0/24\"}],[{\"subnet\":\"fd00:244:1::/64\"}]]");
    assertThat(network(Optional.empty()).path(0).has("mtu")).isFalse();
    assertThat(network(Optional.empty()).path(1).path("type").asString("")).isEqualTo("portmap");
  }

  @Test
  void otherPluginsAreTakenFromTheirDirectory() {
    assertThat(ContainerdConfig.engine(HOME, Path.of("/etc/cni/net.d"), "overlayfs"))
        .contains("conf_dir = \"/etc/cni/net.d\"")
        .contains("address = \"/somewhere/containerd/containerd.sock\"");
  }

  @Test
  void pathsStandInTheConfigurationAsTheyAre() {
    Path home = Path.of("/srv/CNI/SNAPSHOTTER/say \"hi\"");
    Path plugins = Path.of("/etc/HOME/PAUSE/back\\slash");
    assertThat(ContainerdConfig.engine(home, plugins, "overlayfs"))
        .contains("root = \"/srv/CNI/SNAPSHOTTER/say \\\"hi\\\"/root\"")
        .contains("conf_dir = \"/etc/HOME/PAUSE/back\\\\slash\"")
        .contains("snapshotter = \"overlayfs\"");
  }
}
