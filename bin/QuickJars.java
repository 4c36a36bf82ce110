import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Makes the jars of a directory quick to start from: `java bin/QuickJars.java DIRECTORY`.
///
/// An AOT cache leaves out the classes of signed jars, and the JVM verifies those at every start.
/// What was downloaded has been verified already, so signatures are taken out. Manifests are read
/// at every start too: what they say to other module systems goes.
class QuickJars {
  private static final Pattern OF_OTHERS =
      Pattern.compile("(Bundle|Import|Export|Private|DynamicImport|Require|Provide|Bnd)-.*");

  public static void main(String[] words) throws Exception {
    try (Stream<Path> files = Files.list(Path.of(words[0]))) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        try (FileSystem inside =
            FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
          unsign(inside);
        }
      }
    }
  }

  private static void unsign(FileSystem jar) throws IOException {
    Path meta = jar.getPath("META-INF");
    if (!Files.exists(meta.resolve("MANIFEST.MF"))) {
      return;
    }
    List<Path> signatures;
    try (Stream<Path> files = Files.list(meta)) {
      signatures = files.filter(file -> file.toString().matches(".*\\.(SF|DSA|RSA|EC)")).toList();
    }
    for (Path signature : signatures) {
      Files.delete(signature);
    }
    Manifest manifest;
    try (var in = Files.newInputStream(meta.resolve("MANIFEST.MF"))) {
      manifest = new Manifest(in);
    }
    // One section for each class, which holds nothing but its digest.
    manifest.getEntries().values().removeIf(QuickJars::isDigest);
    // Tens of kilobytes for module systems that are not here, read at every start.
    manifest.getMainAttributes().keySet().removeIf(name -> OF_OTHERS.matcher(name + "").matches());
    try (OutputStream out = Files.newOutputStream(meta.resolve("MANIFEST.MF"))) {
      manifest.write(out);
    }
  }

  private static boolean isDigest(Attributes section) {
    return section.keySet().stream().allMatch(name -> name.toString().endsWith("-Digest"));
  }
}
