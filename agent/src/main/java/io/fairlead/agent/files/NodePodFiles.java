package io.fairlead.agent.files;

import io.fairlead.agent.discovery.ConfigDataReader;
import io.fairlead.agent.discovery.ContainerEnvironment;
import io.fairlead.agent.discovery.DownwardFields;
import io.fairlead.agent.discovery.Expansion;
import io.fairlead.agent.discovery.HostNames;
import io.fairlead.agent.discovery.HostsFile;
import io.fairlead.agent.discovery.ResolvConfFile;
import io.fairlead.agent.discovery.ServiceVariables;
import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.lifecycle.PodFiles;
import io.fairlead.agent.lifecycle.PodReporter;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.PodTraits;
import io.fairlead.agent.runtime.RegistryCredentials;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.status.Qos;
import io.fairlead.agent.volume.PodVolumes;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Quantity;
import io.fairlead.kernel.syscall.MountPoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/// The files and settings of this node's pods. Safe for many threads, one pod at a time.
public final class NodePodFiles implements PodFiles {
  /// The runtime a pod asks for.
  private static final String RUNTIME = "fairlead.dev/runtime";

  private static final String PODS = "pods";
  private static final Duration REFRESH = Duration.ofSeconds(10);

  private final NodePodFilesOptions settings;
  private final ServiceLister services;
  private final ConfigDataReader lookups;
  private final PodVolumes.TokenSource tokens;
  private final VolumeSourceWatcher sources;
  private final PodReporter reports;
  private final InstantSource clock;
  private final Map<String, Instant> written = new ConcurrentHashMap<>();

  public NodePodFiles(
      NodePodFilesOptions settings,
      ServiceLister services,
      ConfigDataReader lookups,
      PodVolumes.TokenSource tokens,
      VolumeSourceWatcher sources,
      PodReporter reports,
      InstantSource clock) {
    this.settings = settings;
    this.services = services;
    this.lookups = lookups;
    this.tokens = tokens;
    this.sources = sources;
    this.reports = reports;
    this.clock = clock;
  }

  @Override
  public void prepare(Pod pod) {
    Instant now = clock.instant();
    Instant last = written.get(pod.uid());
    if (last != null && now.isBefore(last.plus(REFRESH))) {
      return;
    }
    Path directory = directory(pod);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new RuntimeFailure("ContainerCreating", String.valueOf(e.getMessage()));
    }
    // Both before the content is read: what changes meanwhile is written by another look.
    sources.follow(pod);
    written.put(pod.uid(), now);
    try {
      volumes(List.of()).write(pod, directory);
    } catch (RuntimeFailure e) {
      stale(pod.uid());
      throw e;
    }
  }

  /// The next step writes the pod's volumes again.
  public void stale(String uid) {
    written.remove(uid);
  }

  @Override
  public SandboxConfig sandbox(Pod pod, int attempt) {
    ResolvConfFile.Formed names =
        ResolvConfFile.of(
            pod, settings.clusterDomain(), settings.clusterDns(), settings.resolvConf());
    names.events().forEach(one -> reports.event(pod, true, one.getKey(), one.getValue()));
    List<SandboxConfig.HostPort> ports = new ArrayList<>();
    pod.allContainers()
        .flatMap(container -> container.ports().stream())
        .filter(port -> port.hostPort() > 0)
        .forEach(
            port ->
                ports.add(
                    new SandboxConfig.HostPort(
                        port.hostAddress(), port.hostPort(), port.number(), port.protocol())));
    return new SandboxConfig(
        pod.key(),
        pod.uid(),
        attempt,
        pod.hostNetwork(),
        names(pod).machine(),
        names.file().text(),
        ports,
        pod.grace().toSeconds(),
        directory(pod),
        traits(pod));
  }

  private PodTraits traits(Pod pod) {
    Map<String, String> sysctls = new TreeMap<>();
    for (JsonNode one : Json.at(pod.spec(), "securityContext", "sysctls")) {
      sysctls.put(Json.textOr(one, "", "name"), Json.textOr(one, "", "value"));
    }
    return new PodTraits(
        logs(pod).toAbsolutePath(),
        pod.allContainers().map(Container::image).toList(),
        Json.textOr(pod.spec(), pod.annotation(RUNTIME), "runtimeClassName"),
        Qos.of(pod),
        ResourceReader.of(pod),
        pod.spec().path("hostPID").asBoolean(false),
        pod.spec().path("hostIPC").asBoolean(false),
        pod.spec().path("shareProcessNamespace").asBoolean(false),
        SecurityContextReader.privileged(pod),
        sysctls);
  }

  @Override
  public ContainerConfig container(
      Pod pod, Container container, int attempt, List<String> addresses) {
    if (!services.complete() && !pod.isStatic()) {
      throw new RuntimeFailure(
          "CreateContainerConfigError",
          "services have not yet been read at least once, cannot construct envvars");
    }
    List<Map.Entry<String, String>> offered = serviceVariables(pod, attempt);
    Map<String, String> environment =
        ContainerEnvironment.of(pod, container, offered, lookups, fields(addresses));
    Path directory = directory(pod);
    GivenVariables.write(directory, container.name(), offered, environment);
    Path hosts = directory.resolve("etc-hosts");
    write(hosts, HostsFile.of(pod, names(pod), addresses, settings.hosts()));
    List<ContainerConfig.Mount> mounts =
        new ArrayList<>(volumes(addresses).mounts(pod, container, directory, environment));
    mounts.add(
        new ContainerConfig.Mount(endFile(pod, container, attempt), endPath(container), false));
    return new ContainerConfig(
        container.name(),
        attempt,
        container.image(),
        container.hash(),
        container.command().stream().map(one -> Expansion.of(one, environment)).toList(),
        container.arguments().stream().map(one -> Expansion.of(one, environment)).toList(),
        List.copyOf(environment.entrySet()),
        Json.textOr(container.body(), "", "workingDir"),
        mounts,
        hosts.toAbsolutePath(),
        log(pod, container.name(), attempt).toAbsolutePath(),
        resources(pod, container),
        SecurityContextReader.of(pod, container),
        new ContainerConfig.Terminal(
            container.body().path("stdin").asBoolean(false),
            container.body().path("stdinOnce").asBoolean(false),
            container.body().path("tty").asBoolean(false)));
  }

  @Override
  public LinuxContainerResources resources(Pod pod, Container container) {
    return ResourceReader.of(pod, container, memory());
  }

  @Override
  public LinuxContainerResources resources(Pod pod) {
    return ResourceReader.of(pod);
  }

  /// A first run sees every Service made before its pod, a later one what is known by then.
  private List<Map.Entry<String, String>> serviceVariables(Pod pod, int attempt) {
    boolean links = pod.spec().path("enableServiceLinks").asBoolean(true);
    Collection<ServiceView> seen =
        links && attempt == 0
            ? services.since(pod.metadata().resourceVersion(), pod.namespace())
            : services.all();
    return ServiceVariables.of(seen, pod.namespace(), links);
  }

  /// Where a container may write why it ends, as it is called inside.
  private static String endPath(Container container) {
    return Json.textOr(container.body(), "/dev/termination-log", "terminationMessagePath");
  }

  /// The same as the node calls it.
  private Path endPlace(Pod pod, String container, int attempt) {
    return directory(pod)
        .resolve("containers")
        .resolve(container)
        .resolve(Integer.toString(attempt))
        .toAbsolutePath();
  }

  /// The file for one run, empty. That of the run before the last goes.
  private Path endFile(Pod pod, Container container, int attempt) {
    Path file = endPlace(pod, container.name(), attempt);
    try {
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(endPlace(pod, container.name(), attempt - 2));
      Files.writeString(file, "");
      // Whichever user the container's programs run as.
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
      return file;
    } catch (IOException e) {
      throw new RuntimeFailure("CreateContainerConfigError", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String endMessage(Pod pod, Container container, ContainerInfo run) {
    boolean fallback =
        run.exitCode() != 0
            && Json.textOr(container.body(), "", "terminationMessagePolicy")
                .equals("FallbackToLogsOnError");
    return TerminationMessage.of(
        endPlace(pod, container.name(), run.attempt()),
        log(pod, container.name(), run.attempt()),
        fallback);
  }

  private long memory() {
    Quantity memory = settings.allocatable().get("memory");
    return memory == null ? Long.MAX_VALUE : memory.value();
  }

  /// Where the output of one run of a container lies.
  public Path log(Pod pod, String container, int attempt) {
    return logs(pod).resolve(container).resolve(attempt + ".log");
  }

  private Path logs(Pod pod) {
    return settings
        .directory()
        .resolve("logs")
        .resolve(pod.namespace() + "_" + pod.name() + "_" + pod.uid());
  }

  @Override
  public Optional<RegistryCredentials> credentials(Pod pod, String image) {
    List<Map<String, byte[]>> secrets = new ArrayList<>();
    for (JsonNode reference : pod.spec().path("imagePullSecrets")) {
      lookups.secret(pod.namespace(), Json.textOr(reference, "", "name")).ifPresent(secrets::add);
    }
    return PullSecrets.find(image, secrets);
  }

  @Override
  public void remove(Pod pod) {
    written.remove(pod.uid());
    sources.forget(pod);
    tokens.forget(pod);
    PodVolumes.remove(directory(pod));
    PodVolumes.remove(logs(pod));
  }

  /// Takes away what is mounted in the directories of all pods.
  ///
  /// @param directory that of the agent
  public static void unmountAll(Path directory) {
    MountPoints.detachBelow(directory.resolve(PODS));
  }

  private PodVolumes volumes(List<String> addresses) {
    return new PodVolumes(lookups, tokens, fields(addresses));
  }

  private DownwardFields fields(List<String> addresses) {
    return new DownwardFields(addresses, settings.addresses(), settings.allocatable());
  }

  private HostNames names(Pod pod) {
    return HostNames.of(pod, settings.clusterDomain(), settings.nodeName());
  }

  private Path directory(Pod pod) {
    return settings.directory().resolve(PODS).resolve(pod.uid());
  }

  /// Written in place: a container may have this very file mounted.
  private static void write(Path file, String text) {
    try {
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.writeString(file, text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
