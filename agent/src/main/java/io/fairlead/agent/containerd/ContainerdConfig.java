package io.fairlead.agent.containerd;

import io.fairlead.agent.image.PauseImage;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The configuration files of a private containerd. Pure.
final class ContainerdConfig {
  private ContainerdConfig() {}

  /// `config.toml`.
  ///
  /// @param home the directory that holds everything of this containerd
  /// @param plugins the directory with the configuration of CNI plugins
  /// @param snapshotter `overlayfs` or `native`
  static String engine(Path home, Path plugins, String snapshotter) {
    return """
        version = 2
        root = "%1$s/root"
        state = "%1$s/state"
        disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", \
        "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", \
        "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
        [grpc]
          address = "%1$s/containerd.sock"
        [ttrpc]
          address = "%1$s/containerd.sock.ttrpc"
        [plugins."io.containerd.internal.v1.opt"]
          path = "%1$s/opt"
        [plugins."io.containerd.grpc.v1.cri"]
          sandbox_image = "%2$s"
          stream_server_address = "127.0.0.1"
          stream_server_port = "0"
          netns_mounts_under_state_dir = true
          enable_unprivileged_ports = true
          enable_unprivileged_icmp = true
          restrict_oom_score_adj = true
          [plugins."io.containerd.grpc.v1.cri".cni]
            bin_dir = "/usr/lib/cni"
            conf_dir = "%3$s"
            max_conf_num = 1
          [plugins."io.containerd.grpc.v1.cri".containerd]
            snapshotter = "%4$s"
            default_runtime_name = "runc"
            [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
              runtime_type = "io.containerd.runc.v2"
              [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
                SystemdCgroup = false
          [plugins."io.containerd.grpc.v1.cri".registry]
            config_path = "%1$s/certs.d:/etc/containerd/certs.d"
        """
        .formatted(quoted(home), PauseImage.REFERENCE, quoted(plugins), snapshotter);
  }

  /// A path as it stands between the quotes of a TOML string.
  private static String quoted(Path path) {
    return path.toString().replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /// `10-fairlead.conflist`: cables and routes as [PodNetwork] makes them, with addresses from the
  /// same files, so that pods of all runtimes share the node's ranges.
  ///
  /// @param addresses the directory in which that of the network lies
  /// @param mtu the longest packet pods may send; empty for what the kernel says
  static String network(List<Cidr> ranges, Path addresses, Optional<Integer> mtu) {
    ObjectNode root = Json.object().put("cniVersion", "0.4.0").put("name", PodNetwork.NAME);
    ArrayNode plugins = root.putArray("plugins");
    ObjectNode cable = plugins.addObject().put("type", "ptp").put("ipMasq", false);
    mtu.ifPresent(bytes -> cable.put("mtu", bytes));
    ObjectNode keeper =
        cable.putObject("ipam").put("type", "host-local").put("dataDir", addresses.toString());
    ArrayNode sets = keeper.putArray("ranges");
    ArrayNode routes = keeper.putArray("routes");
    for (Cidr range : ranges) {
      sets.addArray().addObject().put("subnet", range.toString());
      routes.addObject().put("dst", range.address().isIpv4() ? "0.0.0.0/0" : "::/0");
    }
    ObjectNode ports = plugins.addObject().put("type", "portmap").put("snat", true);
    ports.putObject("capabilities").put("portMappings", true);
    return root.toString();
  }
}
