package io.fairlead.agent.node;

import io.fairlead.api.schema.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// What the machine under a node has, read from the kernel's files.
///
/// @param capacity by the names of resources
/// @param facts members of `nodeInfo`
public record MachineInfo(Map<String, Quantity> capacity, Map<String, String> facts) {
  public MachineInfo {
    capacity = Map.copyOf(capacity);
    facts = Map.copyOf(facts);
  }

  /// Looks now.
  ///
  /// @param pods how many a node takes
  /// @param storage a directory on the disk that pods write to
  public static MachineInfo look(int pods, Path storage) {
    Map<String, Quantity> capacity = new TreeMap<>();
    capacity.put("cpu", Quantity.of(Runtime.getRuntime().availableProcessors()));
    capacity.put("memory", Quantity.parse(memory() + "Ki"));
    capacity.put("pods", Quantity.of(pods));
    try {
      capacity.put("ephemeral-storage", Quantity.of(Files.getFileStore(storage).getTotalSpace()));
    } catch (IOException _) {
      // Then the Node does not show it.
    }
    return new MachineInfo(
        capacity,
        Map.of(
            "machineID", text("/etc/machine-id"),
            "systemUUID", text("/sys/class/dmi/id/product_uuid"),
            "bootID", text("/proc/sys/kernel/random/boot_id"),
            "kernelVersion", text("/proc/sys/kernel/osrelease"),
            "osImage", osName(),
            "operatingSystem", "linux",
            "architecture", architecture()));
  }

  public static String architecture() {
    return switch (System.getProperty("os.arch", "")) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> System.getProperty("os.arch", "");
    };
  }

  private static String memory() {
    return text("/proc/meminfo")
        .lines()
        .filter(line -> line.startsWith("MemTotal:"))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .findFirst()
        .orElse("0");
  }

  private static String osName() {
    return text("/etc/os-release")
        .lines()
        .filter(line -> line.startsWith("PRETTY_NAME="))
        .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
        .findFirst()
        .orElse("Linux");
  }

  private static String text(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
