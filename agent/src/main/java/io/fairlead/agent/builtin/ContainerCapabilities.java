package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.LinuxContainerSecurityContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What root may do in a container: the capabilities that engines give by default, without the one
/// that makes devices, for nothing here keeps a program from using those. A container can have
/// fewer, never more.
enum ContainerCapabilities {
  CHOWN(0), // capability.h
  DAC_OVERRIDE(1),
  FOWNER(3),
  FSETID(4),
  KILL(5),
  SETGID(6),
  SETUID(7),
  SETPCAP(8),
  NET_BIND_SERVICE(10),
  NET_RAW(13),
  SYS_CHROOT(18),
  AUDIT_WRITE(29),
  SETFCAP(31);

  private final int number;

  ContainerCapabilities(int number) {
    this.number = number;
  }

  /// Those of a container: without what it drops.
  static List<ContainerCapabilities> of(LinuxContainerSecurityContext security) {
    List<String> dropped =
        security.drop().stream()
            .map(one -> one.toUpperCase(Locale.ROOT).replaceFirst("^CAP_", ""))
            .toList();
    return dropped.contains("ALL")
        ? List.of()
        : List.of(values()).stream().filter(one -> !dropped.contains(one.name())).toList();
  }

  /// As `setpriv` takes them.
  static String words(List<ContainerCapabilities> all) {
    return all.stream()
        .map(one -> ",+" + one.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("", "-all", ""));
  }

  /// As the kernel takes them.
  static long bits(List<ContainerCapabilities> all) {
    return all.stream().mapToLong(one -> 1L << one.number).reduce(0, (one, two) -> one | two);
  }
}
