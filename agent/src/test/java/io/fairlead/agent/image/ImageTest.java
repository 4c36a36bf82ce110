package io.fairlead.agent.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ImageTest {
  private static final byte[] LAYER =
      new TarWriter().directory("bin").file("bin/x", 0755, "hello".getBytes(UTF_8)).bytes();

  @Test
  void anArchiveHoldsWholeBlocksAndItsSums() {
    assertThat(LAYER).hasSize(512 + 512 + 512 + 1024);
    assertThat(new String(LAYER, 0, 4, UTF_8)).isEqualTo("bin/");
    assertThat(new String(LAYER, 257, 5, UTF_8)).isEqualTo("ustar");
    byte[] header = Arrays.copyOfRange(LAYER, 512, 1024);
    int told = Integer.parseInt(new String(header, 148, 6, UTF_8), 8);
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte one : header) {
      sum += one & 0xff;
    }
    assertThat(told).isEqualTo(sum);
  }

  @Test
  void longPathsAreSplitAndTooLongOnesRefused() {
    String name = "n".repeat(90);
    byte[] tar = new TarWriter().file("d".repeat(100) + "/" + name, 0644, new byte[0]).bytes();
    assertThat(new String(tar, 0, 90, UTF_8)).isEqualTo(name);
    assertThat(new String(tar, 345, 100, UTF_8)).isEqualTo("d".repeat(100));
    assertThatThrownBy(() -> new TarWriter().file("n".repeat(101), 0644, new byte[0]))
        .hasMessageContaining("too long");
  }

  @Test
  void sameContentSameDigest() {
    OciImage one = OciImage.of(LAYER, List.of("/bin/x"), List.of("a"), List.of("K=V"));
    OciImage two = OciImage.of(LAYER.clone(), List.of("/bin/x"), List.of("a"), List.of("K=V"));
    OciImage other = OciImage.of(LAYER, List.of("/bin/x"), List.of("b"), List.of("K=V"));
    assertThat(one.digest()).isEqualTo(two.digest()).startsWith("sha256:").hasSize(71);
    assertThat(other.digest()).isNotEqualTo(one.digest());
  }

  @Test
  void aManifestNamesItsBlobs() {
    OciImage image = OciImage.of(LAYER, List.of(), List.of("sh"), List.of());
    JsonNode manifest = Json.mapper().readTree(image.manifest());
    String config = Json.textOr(manifest, "", "config", "digest");
    String layer = Json.textOr(manifest.path("layers").get(0), "", "digest");
    assertThat(image.blobs()).containsOnlyKeys(config, layer, image.digest());
    assertThat(manifest.path("layers").get(0).path("size").asInt())
        .isEqualTo(Objects.requireNonNull(image.blobs().get(layer)).length);
    assertThat(new String(image.archive("example.test/x:1"), UTF_8))
        .contains("\"io.containerd.image.name\":\"example.test/x:1\"", "oci-layout");
  }
}
