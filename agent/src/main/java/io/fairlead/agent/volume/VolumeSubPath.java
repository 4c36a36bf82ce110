package io.fairlead.agent.volume;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.MountPoints;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.PathCalls;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A part of a volume (`subPath`) that a container mounts; links may not lead out of the volume.
///
/// How it works: programs of the pod may change links in the volume at any moment. So the kernel
/// walks below the volume's own directory, what it found is mounted by its descriptor at a place of
/// the agent, and the runtime gets that place. No name in the volume is looked up twice.
///
/// @param root where the volume lies
/// @param path the part below it; empty for all of it
record VolumeSubPath(String volume, Path root, String path) {
  private static final int MODE = 0755;

  /// Where a container mounts it from. A part that is not there becomes a directory.
  ///
  /// @param place where the part is mounted; what was there before goes
  Path mounted(Path place) {
    if (path.isEmpty()) {
      return root;
    }
    try (NativeFileDescriptor part = open()) {
      clear(place);
      if (Files.isDirectory(number(part))) {
        Files.createDirectory(place);
      } else {
        Files.createFile(place);
      }
      FileCalls.mount(number(part).toString(), place, FileCalls.MS_BIND | FileCalls.MS_REC);
      return place;
    } catch (IOException | SystemCallException e) {
      throw failure(": " + e.getMessage());
    }
  }

  /// The same for a volume that only the agent writes, and whose files are replaced when they
  /// change: a place of its own that shows the part as it is now. The runtime mounts it a while
  /// later, when the volume may have dropped the files. Takes no space: the files are those of the
  /// volume under a second name.
  ///
  /// @param place what was kept there before goes
  Path kept(Path place) {
    if (path.isEmpty()) {
      return root;
    }
    try (NativeFileDescriptor part = open()) {
      Path found = number(part).toRealPath();
      if (Files.isSameFile(found, root)) {
        return root;
      }
      clear(place);
      try (Stream<Path> all = Files.walk(found)) {
        for (Path one : all.toList()) {
          keep(one, place.resolve(found.relativize(one)));
        }
      }
      return place;
    } catch (IOException e) {
      throw failure(": " + e.getMessage());
    }
  }

  private static void keep(Path from, Path to) throws IOException {
    if (Files.isDirectory(from)) {
      Files.createDirectory(to);
      for (String attribute : new String[] {"unix:gid", "unix:mode"}) {
        Files.setAttribute(to, attribute, Files.getAttribute(from, attribute));
      }
    } else {
      Files.createLink(to, from);
    }
  }

  private static void clear(Path place) throws IOException {
    MountPoints.detachBelow(place);
    AtomicDirectory.delete(place);
    Files.createDirectories(place.toAbsolutePath().getParent());
  }

  private static Path number(NativeFileDescriptor part) {
    return Path.of("/proc/self/fd", Integer.toString(part.number()));
  }

  /// The part itself. What is missing is made, one directory after another, each in the one that
  /// was opened before it.
  private NativeFileDescriptor open() {
    if (Path.of(path).isAbsolute() || Stream.of(path.split("/")).anyMatch(".."::equals)) {
      throw failure(" leads out of it");
    }
    NativeFileDescriptor volumeRoot = null;
    NativeFileDescriptor last = null;
    try {
      volumeRoot = PathCalls.mark(root);
      last = PathCalls.markBeneath(volumeRoot, ".");
      Path walked = Path.of("");
      for (Path name : Path.of(path).normalize()) {
        walked = walked.resolve(name);
        NativeFileDescriptor next = openOrMake(volumeRoot, last, walked);
        last.close();
        last = next;
      }
      return last;
    } catch (SystemCallException e) {
      if (last != null) {
        last.close();
      }
      throw e.errno().equals(Errno.EXDEV) || e.errno().equals(Errno.ELOOP)
          ? failure(" leads out of it")
          : failure(": " + e.getMessage());
    } finally {
      if (volumeRoot != null) {
        volumeRoot.close();
      }
    }
  }

  private static NativeFileDescriptor openOrMake(
      NativeFileDescriptor volumeRoot, NativeFileDescriptor parent, Path walked) {
    try {
      return PathCalls.markBeneath(volumeRoot, walked.toString());
    } catch (SystemCallException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
    try {
      PathCalls.makeDirectory(parent, String.valueOf(walked.getFileName()), MODE);
    } catch (SystemCallException e) {
      if (!e.errno().equals(Errno.EEXIST)) {
        throw e;
      }
    }
    return PathCalls.markBeneath(volumeRoot, walked.toString());
  }

  private RuntimeFailure failure(String why) {
    return new RuntimeFailure("CreateContainerConfigError", "subPath of volume " + volume + why);
  }
}
