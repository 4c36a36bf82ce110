package io.fairlead.agent.cri;

import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One control group per pod, as the parent of its containers' groups: `/kubepods/pod1234`.
///
/// How it works: the kernel shows control groups as directories. Version 1 has a tree for each kind
/// of resource, version 2 one for all. The pod's directory carries the limits of all its containers
/// together. Engines make what is missing of it in every tree, and none takes it away again, so
/// each is written down in a file before it is made and removed from every tree at the pod's end.
///
/// Safe for many threads, one pod at a time.
public final class PodCgroups {
  private static final Logger log = LoggerFactory.getLogger(PodCgroups.class);
  private static final String ROOT = "kubepods";
  private static final List<String> CLASSES = List.of("burstable", "besteffort");
  private static final String CONTROLLERS = "+cpu +memory +pids +cpuset +io";

  private final List<Path> trees;
  private final boolean unified;
  private final Path record;
  private final String root;

  /// @param record a directory that remembers which groups were made
  /// @param above the group in which `kubepods` lies; `/` for none
  PodCgroups(List<Path> trees, boolean unified, Path record, String above) {
    this.root = Path.of("/").resolve(above).normalize().resolve(ROOT).toString();
    this.trees = List.copyOf(trees);
    this.unified = unified;
    this.record = record;
    try {
      Files.createDirectories(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Those of this machine.
  ///
  /// @param above the group in which `kubepods` lies, so that several nodes on one machine do not
  ///   share it; `/` for none
  public static PodCgroups ofMachine(Path record, String above) {
    List<String[]> mounts;
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/mounts"))) {
      mounts =
          lines
              .map(line -> line.split(" "))
              .filter(words -> words.length > 2 && words[2].startsWith("cgroup"))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean unified = mounts.stream().allMatch(words -> words[2].equals("cgroup2"));
    return new PodCgroups(
        mounts.stream().map(words -> Path.of(words[1])).toList(), unified, record, above);
  }

  /// The path of a pod's group in every tree.
  ///
  /// @param quality `Guaranteed`, `Burstable` or `BestEffort`
  String path(String podUid, String quality) {
    return switch (quality) {
      case "Guaranteed" -> root + "/pod" + podUid;
      case "Burstable" -> root + "/burstable/pod" + podUid;
      default -> root + "/besteffort/pod" + podUid;
    };
  }

  /// Makes a pod's group with its limits. One that is there gets these limits.
  ///
  /// @return its path in every tree
  public String make(String podUid, String quality, LinuxContainerResources resources) {
    String path = path(podUid, quality);
    try {
      Files.writeString(record.resolve(podUid), path);
      if (unified) {
        for (Path tree : trees) {
          version2(tree, path.substring(1), resources);
        }
      } else {
        for (Path tree : trees) {
          version1(tree, path.substring(1), resources);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("control group of pod " + podUid, e);
    }
    return path;
  }

  /// Changes the limits of a pod's group together with those of its containers. The kernel lets no
  /// group have more processor time than the one above it, so that one has no limit meanwhile.
  ///
  /// @param containers changes the groups of the containers
  void resize(String podUid, LinuxContainerResources resources, Runnable containers) {
    try {
      Path file = record.resolve(podUid);
      String path = Files.exists(file) ? Files.readString(file).substring(1) : "";
      for (Path tree : trees) {
        Path quota = tree.resolve(path).resolve(unified ? "cpu.max" : "cpu.cfs_quota_us");
        if (!path.isEmpty() && Files.exists(quota)) {
          Files.writeString(quota, unified ? "max" : "-1");
        }
      }
      containers.run();
      for (Path tree : trees) {
        if (!path.isEmpty() && unified) {
          version2(tree, path, resources);
        } else if (!path.isEmpty()) {
          version1(tree, path, resources);
        }
      }
    } catch (IOException e) {
      throw new RuntimeFailure("ContainerCreating", "control group of the pod: " + e.getMessage());
    }
  }

  private static void version1(Path tree, String path, LinuxContainerResources resources)
      throws IOException {
    Path group = tree.resolve(path);
    if (Files.exists(tree.resolve("cpu.shares"))) {
      Files.createDirectories(group);
      write(group, "cpu.shares", CpuShares.shares(resources.cpuRequest()));
      if (resources.cpuLimit() > 0) {
        write(group, "cpu.cfs_period_us", CpuShares.PERIOD);
        write(group, "cpu.cfs_quota_us", CpuShares.quota(resources.cpuLimit()));
      }
    }
    if (Files.exists(tree.resolve("memory.limit_in_bytes"))) {
      Files.createDirectories(group);
      if (resources.memoryLimit() > 0) {
        write(group, "memory.limit_in_bytes", resources.memoryLimit());
      }
    }
  }

  private static void version2(Path tree, String path, LinuxContainerResources resources)
      throws IOException {
    Path group = tree.resolve(path);
    Files.createDirectories(group);
    Path parent = tree;
    for (Path part : Path.of(path)) {
      enable(parent);
      parent = parent.resolve(part);
    }
    write(group, "cpu.weight", CpuShares.weight(CpuShares.shares(resources.cpuRequest())));
    if (resources.cpuLimit() > 0) {
      Files.writeString(
          group.resolve("cpu.max"), CpuShares.quota(resources.cpuLimit()) + " " + CpuShares.PERIOD);
    }
    if (resources.memoryLimit() > 0) {
      write(group, "memory.max", resources.memoryLimit());
    }
  }

  /// Lets the groups below have limits of their own, each kind by itself: a machine may lack one.
  private static void enable(Path group) {
    for (String controller : CONTROLLERS.split(" ")) {
      try {
        Files.writeString(group.resolve("cgroup.subtree_control"), controller);
      } catch (IOException e) {
        log.atDebug().addKeyValue("group", group).setCause(e).log("no {} here", controller);
      }
    }
  }

  private static void write(Path group, String file, long value) throws IOException {
    Files.writeString(group.resolve(file), Long.toString(value));
  }

  /// The uids of the pods whose groups were made and not yet removed.
  public Set<String> made() {
    try (Stream<Path> files = Files.list(record)) {
      return files.map(file -> String.valueOf(file.getFileName())).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Removes a pod's group from every tree. One that is still in use stays and stays recorded.
  ///
  /// @return whether nothing of it is left
  public boolean remove(String podUid) {
    Path file = record.resolve(podUid);
    try {
      if (!Files.exists(file)) {
        return true;
      }
      String path = Files.readString(file).substring(1);
      boolean gone = true;
      for (Path tree : trees) {
        gone &= removeTree(tree.resolve(path));
      }
      if (gone) {
        Files.deleteIfExists(file);
      }
      return gone;
    } catch (IOException e) {
      log.atWarn().addKeyValue("pod", podUid).setCause(e).log("control group not removed yet");
      return false;
    }
  }

  /// Removes the groups above the pods' where no other program uses them.
  public void removeParents() {
    Path relative = Path.of(root.substring(1));
    for (Path tree : trees) {
      Path parent = tree.resolve(relative);
      CLASSES.forEach(name -> removeEmpty(parent.resolve(name)));
      int names = relative.getNameCount();
      while (names > 0 && removeEmpty(tree.resolve(relative.subpath(0, names)))) {
        names--;
      }
    }
  }

  private static boolean removeTree(Path group) throws IOException {
    if (!Files.exists(group)) {
      return true;
    }
    boolean gone = true;
    try (Stream<Path> all = Files.walk(group)) {
      List<Path> directories =
          all.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
      for (Path directory : directories) {
        gone &= removeEmpty(directory);
      }
    } catch (UncheckedIOException e) {
      // Another program has removed a part of it meanwhile.
      return false;
    }
    return gone;
  }

  /// The kernel refuses to remove a group with processes or groups in it.
  private static boolean removeEmpty(Path group) {
    try {
      Files.delete(group);
      return true;
    } catch (NoSuchFileException _) {
      return true;
    } catch (DirectoryNotEmptyException _) {
      return false;
    } catch (IOException e) {
      log.atDebug().addKeyValue("group", group).setCause(e).log("still in use");
      return false;
    }
  }
}
