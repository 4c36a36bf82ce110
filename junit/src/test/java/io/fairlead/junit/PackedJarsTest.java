package io.fairlead.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedJarsTest {
  @TempDir Path directory;

  private PackedJars jars(Map<String, String> files) throws IOException {
    Path jar = directory.resolve("fairlead-junit.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
        out.putNextEntry(new ZipEntry(file.getKey()));
        out.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return new PackedJars(jar, directory.resolve("cache"));
  }

  private static final String PLACE = "io/fairlead/junit/program/";

  @Test
  void jarsAreUnpackedOnceAndFoundAgain() throws IOException {
    PackedJars jars =
        jars(Map.of(PLACE + "a.jar", "A", PLACE + "b.jar", "B", "io/fairlead/junit/X.class", "x"));
    List<Path> first = jars.unpacked();
    assertThat(first)
        .extracting(path -> path.getFileName().toString())
        .containsExactly("a.jar", "b.jar");
    assertThat(first.getFirst()).hasContent("A");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("cache"))))
        .isEqualTo("rwx------");
    Files.writeString(first.getFirst(), "kept");
    assertThat(jars.unpacked()).isEqualTo(first);
    assertThat(first.getFirst()).hasContent("kept");
  }

  @Test
  void anotherVersionLiesElsewhere() throws IOException {
    List<Path> first = jars(Map.of(PLACE + "a.jar", "A")).unpacked();
    List<Path> second = jars(Map.of(PLACE + "a.jar", "B")).unpacked();
    assertThat(second).isNotEqualTo(first);
    assertThat(first.getFirst()).hasContent("A");
    assertThat(second.getFirst()).hasContent("B");
  }

  @Test
  void aJarWithoutThemHasNone() throws IOException {
    assertThat(jars(Map.of("io/fairlead/junit/X.class", "x")).unpacked()).isEmpty();
  }

  @Test
  void aDirectoryOfClassesIsTakenAsItIs() throws IOException {
    Path program = Files.createDirectories(directory.resolve(PLACE));
    Path jar = Files.writeString(program.resolve("a.jar"), "A");
    assertThat(new PackedJars(directory, directory.resolve("cache")).unpacked())
        .containsExactly(jar);
    assertThat(new PackedJars(program, directory.resolve("cache")).unpacked()).isEmpty();
  }
}
