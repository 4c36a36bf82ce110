package io.fairlead.agent.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.pod.Pod;
import io.fairlead.client.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// N75: files that come, change and go.
class ManifestDirectoryTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path place;
  private volatile Map<ObjectKey, Pod> wanted = Map.of();
  private final Queue<String> bad = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean consumerFails = new AtomicBoolean();
  private final List<ManifestDirectory> opened = new ArrayList<>();

  private void open(Path where) {
    ManifestDirectory files =
        new ManifestDirectory(
            where,
            "n",
            InstantSource.system(),
            pods -> {
              if (consumerFails.getAndSet(false)) {
                throw new IllegalStateException("unexpected");
              }
              wanted = pods;
            },
            (file, why) -> bad.add(file.getFileName() + ": " + why));
    opened.add(files);
    files.start();
  }

  @AfterEach
  void close() {
    opened.forEach(ManifestDirectory::close);
  }

  private void write(String file, String name, String image) throws IOException {
    Path hidden = place.resolve("." + file);
    Files.writeString(
        hidden,
        "apiVersion: v1\nkind: Pod\nmetadata: {name: "
            + name
            + "}\nspec: {containers: [{name: c, image: "
            + image
            + "}]}\n");
    Files.move(hidden, place.resolve(file), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private String names() {
    TreeSet<String> names = new TreeSet<>();
    wanted
        .values()
        .forEach(pod -> names.add(pod.name() + "=" + pod.containers().getFirst().image()));
    return names.toString();
  }

  @Test
  void whatIsThereIsKnownAtOnce() throws IOException {
    write("a.yaml", "a", "i");
    write(".hidden.yaml", "h", "i");
    Files.createDirectories(place.resolve("below"));
    open(place);
    assertThat(names()).isEqualTo("[a-n=i]");
  }

  @Test
  void filesComeChangeAndGo() throws IOException {
    open(place);
    assertThat(names()).isEqualTo("[]");
    write("a.yaml", "a", "i");
    await().atMost(LIMIT).until(() -> names().equals("[a-n=i]"));
    write("b.yaml", "b", "i");
    write("a.yaml", "a", "j");
    await().atMost(LIMIT).until(() -> names().equals("[a-n=j, b-n=i]"));
    Files.delete(place.resolve("a.yaml"));
    await().atMost(LIMIT).until(() -> names().equals("[b-n=i]"));
    assertThat(bad).isEmpty();
  }

  @Test
  void aFileThatIsNoLongerUnderstoodChangesNothing() throws IOException {
    write("a.yaml", "a", "i");
    open(place);
    Files.writeString(place.resolve("a.yaml"), "kind: Nonsense\n");
    await().atMost(LIMIT).until(() -> !bad.isEmpty());
    assertThat(bad.peek()).startsWith("a.yaml: ").contains("Nonsense");
    assertThat(names()).isEqualTo("[a-n=i]");
    write("a.yaml", "a", "j");
    await().atMost(LIMIT).until(() -> names().equals("[a-n=j]"));
  }

  @Test
  void ofTwoFilesWithOneNameTheFirstCounts() throws IOException {
    write("a.yaml", "a", "i");
    write("b.yaml", "a", "j");
    open(place);
    assertThat(names()).isEqualTo("[a-n=i]");
    assertThat(bad).singleElement().asString().contains("b.yaml", "default/a-n");
    write("c.yaml", "c", "i");
    await().atMost(LIMIT).until(() -> names().equals("[a-n=i, c-n=i]"));
    assertThat(bad).as("said once, however often it is looked at").hasSize(1);
  }

  @Test
  void aDirectoryThatIsNotThereIsSaidAndWaitedFor() {
    open(place.resolve("later"));
    assertThat(names()).isEqualTo("[]");
    assertThat(bad).singleElement().asString().contains("later: cannot be read");
  }

  @Test
  void itMayBeOneFile() throws IOException {
    write("a.yaml", "a", "i");
    open(place.resolve("a.yaml"));
    assertThat(names()).isEqualTo("[a-n=i]");
    write("b.yaml", "b", "i");
    write("a.yaml", "a", "j");
    await().atMost(LIMIT).until(() -> names().equals("[a-n=j]"));
  }

  @Test
  void podsThatTheirConsumerRefusedComeAgain() throws IOException {
    open(place);
    consumerFails.set(true);
    write("a.yaml", "a", "x:1");
    await().atMost(LIMIT).until(() -> wanted.containsKey(new ObjectKey("default", "a-n")));
    assertThat(consumerFails).isFalse();
  }
}
