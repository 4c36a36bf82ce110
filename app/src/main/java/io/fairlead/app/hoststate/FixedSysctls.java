package io.fairlead.app.hoststate;

import io.fairlead.api.json.Json;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.proxy.node.SysctlFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Kernel settings that `doctor --fix` changed. What they were stands in a file of the data
/// directory before they are changed, so that `down` can put them back, in whatever order the two
/// are called with `up`.
public final class FixedSysctls {
  private static final Path KERNEL = Path.of("/proc/sys");

  private final Path record;
  private final Path kernel;

  public FixedSysctls(DataDirectory directory) {
    this(directory.root().resolve("mended.json"), KERNEL);
  }

  private FixedSysctls(Path record, Path kernel) {
    this.record = record;
    this.kernel = kernel;
  }

  /// Settings of a kernel that is not this one, for tests.
  ///
  /// @param record the file that remembers
  /// @param kernel where settings are files
  public static FixedSysctls of(Path record, Path kernel) {
    return new FixedSysctls(record, kernel);
  }

  /// The present value of one, `net/ipv4/ip_forward`; empty where this kernel does not have it.
  public Optional<String> value(String name) {
    try {
      return Optional.of(new SysctlFiles(kernel).text(name));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// Sets one. What it was the first time is what it will be again.
  ///
  /// @throws IOException when it cannot be set or the record cannot be written
  public void set(String name, String value) throws IOException {
    String before = new SysctlFiles(kernel).text(name);
    ObjectNode known = read();
    ObjectNode settings = Json.child(known, "settings");
    ObjectNode setting = Json.child(settings, name);
    if (!setting.has("before")) {
      setting.put("before", before);
    }
    setting.put("set", value);
    write(known);
    Files.writeString(kernel.resolve(name), value);
  }

  /// Puts back what still has the value that was set here, and forgets all.
  ///
  /// @return each as it is again, `net.ipv4.ip_forward=0`
  /// @throws IOException when one cannot be put back; the record stays
  public List<String> undo() throws IOException {
    List<String> restored = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : read().path("settings").properties()) {
      String name = each.getKey();
      String before = Json.textOr(each.getValue(), "", "before");
      boolean ours =
          value(name).filter(Json.textOr(each.getValue(), "", "set")::equals).isPresent();
      if (ours) {
        Files.writeString(kernel.resolve(name), before);
        restored.add(dotted(name) + "=" + before);
      }
    }
    Files.deleteIfExists(record);
    return restored;
  }

  /// As `sysctl` writes it.
  public static String dotted(String name) {
    return name.replace('/', '.');
  }

  /// What was noted since this machine was started, in this network namespace: nothing else holds.
  private ObjectNode read() {
    try {
      ObjectNode known = Json.parseObject(Files.readAllBytes(record));
      if (Json.textOr(known, "", "boot").equals(NetworkSnapshot.thisBoot())
          && Json.textOr(known, "", "namespace").equals(NetworkSnapshot.thisNamespace())) {
        return known;
      }
    } catch (IOException | JacksonException | ClassCastException e) {
      // None yet, or cut short: there is nothing to be put back by it.
    }
    return Json.object()
        .put("boot", NetworkSnapshot.thisBoot())
        .put("namespace", NetworkSnapshot.thisNamespace());
  }

  private void write(ObjectNode known) throws IOException {
    Path next = record.resolveSibling(record.getFileName() + ".next");
    Files.write(next, Json.bytes(known));
    Files.move(next, record, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
