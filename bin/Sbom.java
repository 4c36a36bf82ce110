import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes what an archive is made of as a CycloneDX 1.6 document: `Sbom DIRECTORY LICENCES`.
///
/// Every jar of DIRECTORY becomes a component with its coordinates, its licence and its SHA-256.
/// LICENCES lists `group:artifact LICENCE` for each library; a jar that is not in it, and is not of
/// this project, ends the program with 1. Output depends on the files alone, not on the time.
final class Sbom {
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");
  private static final String OWN_GROUP = "io.fairlead";

  private record Library(String group, String licence) {}

  private record Component(
      String group, String name, String version, String licence, String sha256) {
    String purl() {
      return "pkg:maven/" + group + "/" + name + "@" + version;
    }

    String json() {
      String kind = licence.contains(" ") ? "\"expression\": " : "\"license\": {\"id\": ";
      String end = licence.contains(" ") ? "" : "}";
      return """
      {
        "type": "library",
        "bom-ref": "%1$s",
        "group": "%2$s",
        "name": "%3$s",
        "version": "%4$s",
        "purl": "%1$s",
        "hashes": [{"alg": "SHA-256", "content": "%5$s"}],
        "licenses": [{%6$s"%7$s"%8$s}]
      }\
      """
          .formatted(purl(), group, name, version, sha256, kind, licence, end);
    }
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("usage: Sbom DIRECTORY LICENCES");
      System.exit(2);
    }
    Map<String, Library> known = libraries(Path.of(arguments[1]));
    List<Component> components = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jar")).sorted().toList()) {
        Matcher name = JAR.matcher(file.getFileName().toString());
        if (!name.matches()) {
          unknown.add(file.toString());
          continue;
        }
        Library library = known.get(name.group(1));
        if (library == null && isOwn(file)) {
          library = new Library(OWN_GROUP, "Apache-2.0");
        }
        if (library == null) {
          unknown.add(file.toString());
          continue;
        }
        components.add(
            new Component(
                library.group, name.group(1), name.group(2), library.licence, sha256(file)));
      }
    }
    if (!unknown.isEmpty()) {
      System.err.println("error: no licence is known of " + String.join(", ", unknown));
      System.err.println("  next: add it to " + arguments[1]);
      System.exit(1);
    }
    System.out.println(document(components));
  }

  /// Our jars carry the version of the project and classes of its package.
  private static boolean isOwn(Path jar) throws IOException {
    try (java.util.jar.JarFile file = new java.util.jar.JarFile(jar.toFile())) {
      return file.stream().anyMatch(entry -> entry.getName().startsWith("io/fairlead/"));
    }
  }

  private static Map<String, Library> libraries(Path file) throws IOException {
    Map<String, Library> libraries = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split("[: ]", 3);
      libraries.put(parts[1], new Library(parts[0], parts[2]));
    }
    return libraries;
  }

  private static String document(List<Component> components) {
    return """
    {
      "bomFormat": "CycloneDX",
      "specVersion": "1.6",
      "version": 1,
      "metadata": {
        "component": {"type": "application", "bom-ref": "fairlead", "group": "io.fairlead", "name": "fairlead"}
      },
      "components": [
    %s
      ]
    }\
    """
        .formatted(components.stream().map(Component::json).collect(Collectors.joining(",\n")));
  }

  private static String sha256(Path file) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Sbom() {}
}
