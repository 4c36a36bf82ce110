package io.fairlead.agent.builtin;

import java.util.Map;
import java.util.Optional;

/// The workloads that need no image: names below `fairlead.dev/`, with any tag. No other name is
/// ever run as one of these.
final class WorkloadCatalogue {
  static final String DOMAIN = "fairlead.dev/";

  private static final Map<String, Workload> WORKLOADS =
      Map.of(
          "hostnames", new HostNameServer(),
          "echo", new EchoServer(),
          "pause", new Pause(),
          "shell", new ShellProgram());

  private WorkloadCatalogue() {}

  static Optional<Workload> find(String image) {
    return name(image).map(WORKLOADS::get);
  }

  /// The identity that a node shows for an image of the catalogue.
  static Optional<String> identity(String image) {
    return name(image).map(name -> "fairlead-builtin://" + name + "@1");
  }

  private static Optional<String> name(String image) {
    if (!image.startsWith(DOMAIN)) {
      return Optional.empty();
    }
    String name = image.substring(DOMAIN.length());
    int end = name.indexOf('@') >= 0 ? name.indexOf('@') : name.indexOf(':');
    String plain = end < 0 ? name : name.substring(0, end);
    return WORKLOADS.containsKey(plain) ? Optional.of(plain) : Optional.empty();
  }
}
