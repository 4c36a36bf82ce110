package io.fairlead.e2e.up;

import io.fairlead.e2e.QuickBuild;
import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A user with no right at all, who runs what root has built.
public final class OrdinaryUser {
  /// The number of the user and of the group.
  public static final String ID = "65534";

  private static final List<String> COMMAND =
      List.of(
          "setpriv",
          "--reuid=" + ID,
          "--regid=" + ID,
          "--clear-groups",
          "--inh-caps=-all",
          "--bounding-set=-all");

  private OrdinaryUser() {}

  /// What stands in front of a command to run it as that user.
  public static List<String> command() {
    return COMMAND;
  }

  /// Shell commands that let the user read the program under test and these files, in a mount
  /// namespace of the caller's own: a directory that is closed to others, such as root's home, gets
  /// a cover that shows nothing but what is needed. All paths stay, so the caches fit.
  ///
  /// @param scratch where the covered directories are seen from meanwhile
  public static String opening(Path scratch, List<Path> more) throws IOException {
    Set<Path> needed = new LinkedHashSet<>(more);
    QuickBuild build = QuickBuild.shared();
    needed.add(build.directory());
    needed.add(Repository.root().resolve("bin/jvm"));
    needed.add(Path.of(System.getProperty("java.home")));
    for (String entry : Files.readString(build.classPath()).strip().split(":")) {
      needed.add(Path.of(entry));
    }
    Set<Path> covered = new LinkedHashSet<>();
    List<String> script = new ArrayList<>(List.of("set -e"));
    List<String> binds = new ArrayList<>();
    for (Path each : needed) {
      Path path = each.toRealPath();
      Path closed = closed(path);
      if (closed == null) {
        continue;
      }
      Path under = scratch.resolve("covered" + closed.toString().replace('/', '_'));
      if (covered.add(closed)) {
        script.add("mkdir '%s' && mount --bind '%s' '%1$s'".formatted(under, closed));
        script.add("mount -t tmpfs -o mode=755 tmpfs '%s'".formatted(closed));
      }
      binds.add(
          (Files.isDirectory(path) ? "mkdir -p '%1$s'" : "mkdir -p '%2$s' && : > '%1$s'")
              .formatted(path, path.getParent()));
      binds.add("mount --bind '%s' '%s'".formatted(under.resolve(closed.relativize(path)), path));
    }
    script.addAll(binds);
    return String.join("\n", script) + "\n";
  }

  /// The topmost directory on the way to a file that others may not enter; null when there is none.
  private static @Nullable Path closed(Path path) throws IOException {
    for (int names = 1; names < path.getNameCount(); names++) {
      Path directory = path.getRoot().resolve(path.subpath(0, names));
      if (!Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return directory;
      }
    }
    return null;
  }
}
