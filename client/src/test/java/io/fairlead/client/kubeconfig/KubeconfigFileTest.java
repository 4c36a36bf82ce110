package io.fairlead.client.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TestFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class KubeconfigFileTest {
  private static final String OTHERS =
      """
      {"apiVersion":"v1","kind":"Config","preferences":{"colors":true},
       "clusters":[{"name":"work","cluster":{"server":"https://work","odd-field":[1,2]}}],
       "users":[{"name":"me","user":{"exec":{"command":"aws","args":["x"]}}}],
       "contexts":[{"name":"work","context":{"cluster":"work","user":"me"}}],
       "current-context":"work","extra":{"deep":"yes"}}
      """;

  @TempDir Path directory;

  private final CallingUser caller = new CallingUser(Optional.empty(), Path.of("/nowhere"));

  private static KubeconfigEntry entry(String server) {
    return new KubeconfigEntry(
        "fairlead",
        URI.create(server),
        new String(TestFiles.read("rsa-certificate.pem"), UTF_8),
        new String(TestFiles.read("ec-certificate.pem"), UTF_8),
        new String(TestFiles.read("ec-pkcs8.pem"), UTF_8));
  }

  @Test
  void aMissingFileIsMadePrivateAndRemovedAgain() throws IOException {
    Path file = directory.resolve(".kube/config");
    KubeconfigFile.merge(file, entry("https://127.0.0.1:6443"), caller);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    ClientConfig connection = Kubeconfig.read(file).connection();
    assertThat(connection.server()).isEqualTo(URI.create("https://127.0.0.1:6443"));
    assertThat(connection.identity()).isInstanceOf(ClientIdentity.ClientCertificate.class);

    assertThat(KubeconfigFile.remove(file, "fairlead", caller)).isTrue();
    assertThat(file).doesNotExist();
    try (var left = Files.list(directory.resolve(".kube"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void otherEntriesAndUnknownFieldsStayAndRemovalRestoresTheFile() throws IOException {
    Path file = Files.writeString(directory.resolve("config"), OTHERS);
    ObjectNode before = KubeconfigText.read(file);
    KubeconfigFile.merge(file, entry("https://127.0.0.1:6443"), caller);
    assertThat(Kubeconfig.read(file).currentContext()).contains("fairlead");
    assertThat(Kubeconfig.read(file).contextNames()).containsExactly("work", "fairlead");
    assertThat(KubeconfigText.read(file).path("extra")).isEqualTo(before.path("extra"));

    assertThat(KubeconfigFile.remove(file, "fairlead", caller)).isTrue();
    assertThat(KubeconfigText.read(file)).isEqualTo(before);
    assertThat(KubeconfigFile.remove(file, "fairlead", caller)).isFalse();
  }

  @Test
  void mergingAgainReplacesTheServerAndStillRemembersTheFirstContext() throws IOException {
    Path file = Files.writeString(directory.resolve("config"), OTHERS);
    KubeconfigFile.merge(file, entry("https://127.0.0.1:1"), caller);
    KubeconfigFile.merge(file, entry("https://127.0.0.1:2"), caller);
    assertThat(Kubeconfig.read(file).connection().port()).isEqualTo(2);
    assertThat(Kubeconfig.read(file).contextNames()).hasSize(2);
    KubeconfigFile.remove(file, "fairlead", caller);
    assertThat(Kubeconfig.read(file).currentContext()).contains("work");
  }

  @Test
  void aContextChosenMeanwhileStaysCurrent() throws IOException {
    Path file = Files.writeString(directory.resolve("config"), OTHERS);
    KubeconfigFile.merge(file, entry("https://127.0.0.1:1"), caller);
    ObjectNode config = KubeconfigText.read(file);
    config.put("current-context", "work");
    Files.write(file, KubeconfigText.write(config));
    KubeconfigFile.remove(file, "fairlead", caller);
    assertThat(Kubeconfig.read(file).currentContext()).contains("work");
  }

  @Test
  void aFileThatCannotBeUnderstoodIsNotTouched() throws IOException {
    String text = "clusters: [unclosed\n";
    Path file = Files.writeString(directory.resolve("config"), text);
    assertThatThrownBy(() -> KubeconfigFile.merge(file, entry("https://h"), caller))
        .isInstanceOf(KubeconfigException.class)
        .hasMessageContaining("left unchanged");
    assertThat(file).hasContent(text);
    assertThat(directory.resolve("config.lock")).doesNotExist();
  }

  @Test
  void aLockOfKubectlIsRespected() throws IOException {
    Path file = directory.resolve("config");
    Files.createFile(directory.resolve("config.lock"));
    assertThatThrownBy(() -> KubeconfigFile.merge(file, entry("https://h"), caller))
        .isInstanceOf(KubeconfigException.class)
        .hasMessageContaining("another program is changing it");
    assertThat(file).doesNotExist();
    assertThat(directory.resolve("config.lock")).exists();
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path real = Files.writeString(directory.resolve("real"), OTHERS);
    Path link = Files.createSymbolicLink(directory.resolve("config"), real);
    KubeconfigFile.merge(link, entry("https://h"), caller);
    assertThat(link).isSymbolicLink();
    assertThat(Kubeconfig.read(real).currentContext()).contains("fairlead");
  }

  @Test
  void runBySudoTheFileGoesToTheCaller() throws IOException {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root can give");
    CallingUser someone =
        new CallingUser(Optional.of(new CallingUser.Owner(12345, 23456)), directory);
    Path file = directory.resolve(".kube/config");
    KubeconfigFile.merge(file, entry("https://h"), someone);
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(12345);
    assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(23456);
    assertThat(Files.getAttribute(file.getParent(), "unix:uid")).isEqualTo(12345);
    KubeconfigFile.merge(file, entry("https://h"), caller);
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(12345);
  }

  @Test
  void theCallerOfSudoIsFoundWithHome() {
    Map<String, String> environment =
        Map.of("SUDO_UID", "1000", "SUDO_GID", "1001", "HOME", "/root");
    List<String> accounts =
        List.of("root:x:0:0::/root:/bin/sh", "ann:x:1000:1001::/home/ann:/bin/sh");
    CallingUser found = CallingUser.of(environment, accounts);
    assertThat(found.home()).isEqualTo(Path.of("/home/ann"));
    assertThat(found.owner()).contains(new CallingUser.Owner(1000, 1001));
    assertThat(CallingUser.of(Map.of("HOME", "/home/bob"), accounts))
        .isEqualTo(new CallingUser(Optional.empty(), Path.of("/home/bob")));
  }

  @Test
  void theFileToWriteIsTheFirstThatExistsElseTheLast() throws IOException {
    Path absent = directory.resolve("a");
    Path present = Files.createFile(directory.resolve("b"));
    Path last = directory.resolve("c");
    Map<String, String> environment = Map.of("KUBECONFIG", absent + ":" + present + ":" + last);
    assertThat(KubeconfigFile.writable(environment, directory)).isEqualTo(present);
    Files.delete(present);
    assertThat(KubeconfigFile.writable(environment, directory)).isEqualTo(last);
    assertThat(KubeconfigFile.writable(Map.of(), directory))
        .isEqualTo(directory.resolve(".kube/config"));
  }
}
