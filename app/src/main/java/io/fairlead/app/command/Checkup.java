package io.fairlead.app.command;

import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.Ports;
import io.fairlead.app.instance.UserKubeconfigContext;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Looks at everything on this machine that Fairlead needs. Changes nothing itself; some findings
/// know how they can be mended.
final class Checkup {
  /// The row of what instances that died left behind.
  static final String LEFTOVERS = "leftovers";

  private static final long LEAST_MEMORY_MIB = 400;
  private static final long LEAST_DISK_MIB = 200;
  private static final long LEAST_DESCRIPTORS = 4096;
  private static final Pattern KUBECTL_VERSION = Pattern.compile("v1\\.(\\d+)[.\\d]*");

  private final CommandContext context;
  private final DataDirectory directory;
  private final int port;
  private final List<DoctorFinding> findings = new ArrayList<>();

  Checkup(CommandContext context, DataDirectory directory, int port) {
    this.context = context;
    this.directory = directory;
    this.port = port;
  }

  List<DoctorFinding> run() {
    java();
    kernel();
    tools();
    data();
    ports();
    findings.addAll(new SettingsCheckup(context, directory).run());
    findings.addAll(new NodeCheckup(context, directory).run());
    leftovers();
    return findings;
  }

  private void java() {
    int feature = Runtime.version().feature();
    String shown = Runtime.version().toString();
    if (feature == 25) {
      add("java", Mark.GOOD, "doctor.java", shown);
    } else {
      add("java", Mark.BAD, "doctor.java.bad", shown);
    }
    add("java", Mark.GOOD, "doctor.cpus", Runtime.getRuntime().availableProcessors());
    long free = number(Path.of("/proc/meminfo"), "MemAvailable:") / 1024;
    add(
        "java",
        free < LEAST_MEMORY_MIB ? Mark.WARNING : Mark.GOOD,
        free < LEAST_MEMORY_MIB ? "doctor.memory.low" : "doctor.memory",
        free);
  }

  private void kernel() {
    add("kernel", Mark.GOOD, "doctor.kernel", System.getProperty("os.version", "?"));
    long descriptors = number(Path.of("/proc/self/limits"), "Max open files");
    boolean few = descriptors < LEAST_DESCRIPTORS;
    add(
        "kernel",
        few ? Mark.WARNING : Mark.GOOD,
        few ? "doctor.descriptors.low" : "doctor.descriptors",
        descriptors);
  }

  private void tools() {
    Optional<String> kubectl = kubectlVersion();
    if (kubectl.isEmpty()) {
      add("tools", Mark.WARNING, "doctor.kubectl.missing");
    } else {
      int skew = Math.abs(minor(kubectl.get()) - minor("v" + FairleadVersion.KUBERNETES));
      if (skew > 1) {
        add(
            "tools",
            Mark.NOTHING,
            "doctor.kubectl.skew",
            kubectl.get(),
            FairleadVersion.KUBERNETES);
      } else {
        add("tools", Mark.GOOD, "doctor.kubectl", kubectl.get());
      }
    }
    boolean setsid = Programs.find("setsid", context.environment()).isPresent();
    add(
        "tools",
        setsid ? Mark.GOOD : Mark.WARNING,
        setsid ? "doctor.setsid" : "doctor.setsid.missing");
  }

  private void data() {
    Path root = directory.root();
    Path existing = root;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      add("data", Mark.BAD, "doctor.dir.bad", root, context.text("why.notdirectory"));
      return;
    }
    if (!Files.isWritable(existing)) {
      add("data", Mark.BAD, "doctor.dir.bad", root, context.text("why.notwritable"));
      return;
    }
    add("data", Mark.GOOD, existing.equals(root) ? "doctor.dir.usable" : "doctor.dir.new", root);
    try {
      long free = Files.getFileStore(existing).getUsableSpace() >> 20;
      boolean little = free < LEAST_DISK_MIB;
      add("data", little ? Mark.BAD : Mark.GOOD, little ? "doctor.disk.low" : "doctor.disk", free);
    } catch (IOException e) {
      add("data", Mark.BAD, "doctor.dir.bad", root, String.valueOf(e.getMessage()));
    }
  }

  private void ports() {
    Optional<InstanceRecord> ours = InstanceRecord.read(directory);
    if (ours.flatMap(InstanceRecord::process).isPresent() && ours.get().port() == port) {
      add("ports", Mark.GOOD, "doctor.port.ours", port, directory.root());
    } else if (Ports.free("127.0.0.1", port)) {
      add("ports", Mark.GOOD, "doctor.port.free", port);
    } else {
      Ports.holder(port)
          .ifPresentOrElse(
              holder -> add("ports", Mark.BAD, "doctor.port.taken", port, holder),
              () -> add("ports", Mark.BAD, "doctor.port.hidden", port));
    }
  }

  private void leftovers() {
    int before = findings.size();
    Optional<InstanceRecord> record = InstanceRecord.read(directory);
    boolean died =
        record
            .filter(instance -> instance.phase() != InstanceRecord.Phase.STOPPED)
            .filter(instance -> instance.process().isEmpty())
            .isPresent();
    if (died) {
      addMendable(() -> cleanUp(record.orElseThrow()), "doctor.leftover.died", directory.record());
    }
    Path kubeconfig =
        record
            .map(InstanceRecord::kubeconfig)
            .filter(file -> !file.isEmpty())
            .map(Path::of)
            .orElseGet(() -> UserKubeconfigContext.standardFile(context.environment()));
    UserKubeconfigContext.pointsAt(kubeconfig)
        .filter(server -> !answers(server))
        .ifPresent(
            server ->
                addMendable(
                    () -> removeContext(kubeconfig, server),
                    "doctor.leftover.kubeconfig",
                    kubeconfig,
                    server));
    if (findings.size() == before) {
      add(LEFTOVERS, Mark.GOOD, "doctor.leftover.none");
    }
  }

  private void addMendable(Remedy remedy, String key, Object... values) {
    findings.add(
        new DoctorFinding(LEFTOVERS, Mark.WARNING, context.text(key, values), Optional.of(remedy)));
  }

  /// What `down` would do; it says itself what it takes away.
  private DoctorFinding cleanUp(InstanceRecord died) {
    String what = context.text("down.stale", died.pid());
    if (!Files.isWritable(directory.record())) {
      return new DoctorFinding("fixed", Mark.NOTHING, context.text("doctor.fix.dry", what));
    }
    boolean clean = DownCommand.cleanUp(died, directory, context);
    return new DoctorFinding("fixed", clean ? Mark.GOOD : Mark.BAD, what);
  }

  private DoctorFinding removeContext(Path kubeconfig, String server) {
    String what = context.text("down.kubeconfig", UserKubeconfigContext.NAME, kubeconfig);
    if (!isHere(server) || !Files.isWritable(kubeconfig)) {
      return new DoctorFinding("fixed", Mark.NOTHING, context.text("doctor.fix.dry", what));
    }
    // Cleaning up after its instance may have taken it away already.
    UserKubeconfigContext.Removal _ =
        UserKubeconfigContext.remove(kubeconfig, server, context.environment());
    return new DoctorFinding("fixed", Mark.GOOD, what);
  }

  /// Only a context that names this machine can be a leftover of it.
  private static boolean isHere(String server) {
    IpAddress address = IpAddress.parseOrNull(String.valueOf(URI.create(server).getHost()));
    return address != null && address.isLoopback();
  }

  private static boolean answers(String server) {
    URI uri = URI.create(server);
    return uri.getHost() != null && Ports.answers(uri.getHost(), Math.max(uri.getPort(), 1));
  }

  private void add(String row, Mark mark, String key, Object... values) {
    findings.add(new DoctorFinding(row, mark, context.text(key, values)));
  }

  /// The client version of the kubectl on the PATH; asked with a time limit, a plug-in may hang.
  private Optional<String> kubectlVersion() {
    Optional<Path> kubectl = Programs.find("kubectl", context.environment());
    if (kubectl.isEmpty()) {
      return Optional.empty();
    }
    try {
      Process process =
          new ProcessBuilder(kubectl.get().toString(), "version", "--client")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher version = KUBECTL_VERSION.matcher(said);
      return version.find() ? Optional.of(version.group()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static int minor(String version) {
    Matcher matcher = Pattern.compile("v?1\\.(\\d+)").matcher(version);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /// The first number on the line of a `/proc` file that starts with a word; 0 when there is none.
  private static long number(Path file, String start) {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith(start))
          .map(line -> line.substring(start.length()).strip().split("\\s+")[0])
          .map(word -> word.equals("unlimited") ? String.valueOf(Integer.MAX_VALUE) : word)
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
