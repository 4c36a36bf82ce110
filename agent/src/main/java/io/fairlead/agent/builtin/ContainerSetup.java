package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/// A new container around a program: mounts, processes, IPC and host name of its own.
///
/// How it works: a script makes the container's file system in memory: the node's programs and
/// libraries, which can only be read, a few public files of `/etc`, devices and `/proc` of its own,
/// and what the pod mounts. Nothing else of the node is there any more when it drops the
/// capabilities that a container lacks and becomes the program. The same mounts work for root and
/// for root of a user namespace. Until it says `ready` nothing of the container can run. Variables
/// of the container are for its program only: the node's programs would run what some of them name.
final class ContainerSetup implements ProgramStarter {
  private static final String READY = "ready";
  private static final String SCRIPT = script();
  private static final int LONGEST_LINE = 1000;

  /// Directories of the node that every container sees.
  private static final List<Path> SHOWN =
      List.of(
          Path.of("/usr"),
          Path.of("/bin"),
          Path.of("/sbin"),
          Path.of("/lib"),
          Path.of("/lib32"),
          Path.of("/lib64"),
          Path.of("/libx32"));

  /// Files and directories of `/etc` that every container gets a copy of: what programs need to
  /// know about names, libraries, certificate authorities and time, and what every user of the node
  /// may read.
  private static final String PUBLIC =
      "alternatives bash.bashrc ca-certificates.conf crypto-policies debian_version ethertypes"
          + " gai.conf group host.conf inputrc issue ld.so.cache ld.so.conf ld.so.conf.d localtime"
          + " magic mime.types networks nsswitch.conf os-release passwd pki/ca-trust/extracted"
          + " pki/tls/cert.pem pki/tls/certs pki/tls/openssl.cnf profile protocols redhat-release"
          + " rpc services shells ssl/certs ssl/openssl.cnf terminfo timezone";

  private final Workload.Context context;
  private final ContainerConfig config;
  private final boolean terminal;

  /// @param terminal whether its program has a terminal
  ContainerSetup(Workload.Context context, ContainerConfig config, boolean terminal) {
    this.context = context;
    this.config = config;
    this.terminal = terminal;
  }

  private static String script() {
    try (InputStream text =
        Objects.requireNonNull(ContainerSetup.class.getResourceAsStream("container-setup.sh"))) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Process start(List<String> command, boolean input, boolean merged) throws IOException {
    ProcessBuilder builder = builder(command).redirectErrorStream(merged);
    if (!input) {
      builder.redirectInput(Path.of("/dev/null").toFile());
    }
    Process process = builder.start();
    String first = line(process.getInputStream());
    if (first.equals(READY)) {
      return process;
    }
    String rest = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    ContainerExec.end(process);
    throw new RuntimeFailure(
        "RunContainerError",
        "the file system of the container cannot be made: " + (first + rest + errors).strip());
  }

  /// The first process of a container that was started.
  static ProcessHandle first(Process started) {
    return started
        .children()
        .findFirst()
        .orElseThrow(() -> new RuntimeFailure("RunContainerError", "the program has ended"));
  }

  private ProcessBuilder builder(List<String> program) throws IOException {
    Path scratch = context.scratch().toRealPath();
    if (SHOWN.stream().anyMatch(scratch::startsWith)) {
      throw new RuntimeFailure(
          "RunContainerError",
          "the data directory lies in a directory that containers see; choose one outside of "
              + SHOWN);
    }
    List<String> variables = variables(config, context.hostname(), terminal);
    // A group of its own, so that it can be ended as one.
    List<String> line = new ArrayList<>(List.of("setsid"));
    line.addAll(context.prefix());
    line.addAll(List.of("unshare", "--mount", "--uts", "--ipc", "--pid", "--fork"));
    line.addAll(List.of("--kill-child", "sh", "-c", SCRIPT, "container", scratch.toString()));
    line.add("node-" + UUID.randomUUID());
    line.add(context.hostname());
    line.add(config.hosts().toRealPath().toString());
    line.add(context.resolvConf().toRealPath().toString());
    line.add(ContainerCapabilities.words(ContainerCapabilities.of(config.security())));
    line.add(PUBLIC);
    line.add(workingDirectory(config));
    line.add(Integer.toString(variables.size()));
    for (ContainerConfig.Mount mount : config.mounts()) {
      line.add(mount.readOnly() ? "ro" : "rw");
      line.add(real(mount.source()).toString());
      line.add(mount.target());
    }
    line.add("--");
    line.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().put("LC_ALL", "C");
    for (int i = 0; i < variables.size(); i++) {
      builder.environment().put("variable_" + i, variables.get(i));
    }
    return builder;
  }

  private static Path real(Path source) throws IOException {
    if (!Files.exists(source)) {
      throw new RuntimeFailure("RunContainerError", source + " is not there to be mounted");
    }
    return source.toRealPath();
  }

  static String workingDirectory(ContainerConfig config) {
    return config.workingDirectory().isEmpty() ? "/" : config.workingDirectory();
  }

  /// What a program of the container finds in its environment, as `NAME=value`.
  static List<String> variables(ContainerConfig config, String hostname, boolean terminal) {
    Map<String, String> all = new TreeMap<>();
    all.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    all.put("HOSTNAME", hostname);
    all.put("HOME", "/root");
    if (terminal) {
      all.put("TERM", "xterm");
    }
    config.environment().forEach(one -> all.put(one.getKey(), one.getValue()));
    return all.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
  }

  private static String line(InputStream from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
      line.append((char) next);
      if (line.length() > LONGEST_LINE) {
        break;
      }
    }
    return line.toString();
  }
}
