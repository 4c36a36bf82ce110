import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
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
/// An AOT cache leaves out two kinds of classes, and the JVM is slow with both at every start.
/// Signed jars are verified anew each time (what was downloaded has been verified already), so
/// signatures are taken out. Classes in formats before Java 7 are verified by inference, so they are
/// written again in a newer format, with the same instructions and the frames that verification then
/// needs. Manifests are read at every start too: what they say to other module systems goes.
class QuickJars {
  private static final int OLDEST_QUICK = ClassFile.JAVA_7_VERSION;
  private static final int WRITTEN = ClassFile.JAVA_11_VERSION;
  private static final Pattern OF_OTHERS =
      Pattern.compile("(Bundle|Import|Export|Private|DynamicImport|Require|Provide|Bnd)-.*");

  public static void main(String[] words) throws Exception {
    try (Stream<Path> files = Files.list(Path.of(words[0]))) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        try (FileSystem inside =
            FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
          unsign(inside);
          if (jar.getFileName().toString().startsWith("picocli-")) {
            renew(inside, jar);
          }
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

  private static void renew(FileSystem inside, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(inside.getPath("/"));
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      ClassFile format =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        var model = format.parse(Files.readAllBytes(file));
        if (model.majorVersion() < OLDEST_QUICK) {
          ClassTransform newer =
              (builder, element) -> {
                if (element instanceof ClassFileVersion) {
                  builder.withVersion(WRITTEN, 0);
                } else {
                  builder.with(element);
                }
              };
          byte[] written =
              format.transformClass(
                  model,
                  newer.andThen(
                      ClassTransform.transformingMethodBodies(
                          (builder, element) -> builder.with(element))));
          Files.write(file, written);
        }
      }
    }
  }
}
