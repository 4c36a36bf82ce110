package io.fairlead.agent.volume;

import io.fairlead.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A part of a volume (`subPath`) that a container mounts; links may not lead out of the volume.
///
/// @param root where the volume lies
/// @param path the part below it; empty for all of it
record VolumePart(String volume, Path root, String path) {
  /// Where it lies now. A part that is not there becomes a directory.
  Path find() {
    if (path.isEmpty()) {
      return root;
    }
    try {
      return real();
    } catch (IOException e) {
      throw failure(": " + e.getMessage());
    }
  }

  /// The same for a volume whose files are replaced when they change: a place of its own that shows
  /// the part as it is now. The runtime mounts it a while later, when the volume may have dropped
  /// the files. Takes no room: the files are those of the volume under a second name.
  ///
  /// @param place what was kept there before goes
  Path kept(Path place) {
    Path found = find();
    try {
      if (Files.isSameFile(found, root)) {
        return root;
      }
      AtomicDirectory.delete(place);
      Files.createDirectories(place.toAbsolutePath().getParent());
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

  private Path real() throws IOException {
    Path target = root.resolve(path).normalize();
    if (!target.startsWith(root)) {
      throw failure(" leads out of it");
    }
    if (!Files.exists(target)) {
      Files.createDirectories(target);
    }
    Path real = target.toRealPath();
    if (!real.startsWith(root.toRealPath())) {
      throw failure(" leads out of it");
    }
    return real;
  }

  private RuntimeFailure failure(String why) {
    return new RuntimeFailure("CreateContainerConfigError", "subPath of volume " + volume + why);
  }
}
