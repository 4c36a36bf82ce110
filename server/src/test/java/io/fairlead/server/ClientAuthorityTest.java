package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.testing.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientAuthorityTest {
  @Test
  void theCaOfClientsIsPublishedForProgramsThatExtendTheApi(@TempDir Path pki) throws Exception {
    MemoryStore store = new MemoryStore();
    try (ApiServer server = ApiServer.start(TestServer.config(pki).build(), store)) {
      assertThat(server.port()).isPositive();
      String stored =
          new String(
              java.util.Objects.requireNonNull(
                      store.get(
                          "/registry/configmaps/kube-system/extension-apiserver-authentication"))
                  .value(),
              java.nio.charset.StandardCharsets.UTF_8);
      String line = Files.readAllLines(pki.resolve("ca.crt")).get(1);
      assertThat(stored).contains("client-ca-file").contains(line);
    }
  }
}
