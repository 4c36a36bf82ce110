package io.fairlead.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.store.CommitResult;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// An etcd that speaks TLS only and asks for a client certificate.
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdTlsTest {
  @TempDir static Path directory;
  private Certificates good;
  private Certificates foreign;
  private EtcdServer server;

  @BeforeAll
  void start() throws Exception {
    good = Certificates.make(directory.resolve("good"));
    foreign = Certificates.make(directory.resolve("foreign"));
    server = EtcdServer.start(directory, good);
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void writesReadsAndWatchesGoOverTls() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EtcdStore store = server.open();
        Watch _ = store.watch("/t/", 0, seen)) {
      CommitResult outcome =
          store.commit(List.of(new Write.Put("/t/a", new byte[] {1}, Write.ABSENT)));
      assertThat(outcome).isInstanceOf(CommitResult.Committed.class);
      seen.awaitChanges(1);
      assertThat(store.get("/t/a")).isNotNull();
    }
  }

  private record Case(
      String name,
      String scheme,
      @Nullable Path authority,
      @Nullable Path certificate,
      @Nullable Path key,
      String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// etcd refuses a client after the handshake, so it may hang up before its reason has arrived.
  Stream<Case> refused() {
    Path nowhere = directory.resolve("nowhere.crt");
    return Stream.of(
        new Case(
            "signed by an authority we do not trust",
            "https",
            foreign.authority(),
            good.client(),
            good.clientKey(),
            "do not trust each other"),
        new Case(
            "an authority that the platform does not know",
            "https",
            null,
            good.client(),
            good.clientKey(),
            "do not trust each other"),
        new Case("no client certificate", "https", good.authority(), null, null, "certificate"),
        new Case(
            "a client certificate that etcd does not trust",
            "https",
            good.authority(),
            foreign.client(),
            foreign.clientKey(),
            "certificate"),
        new Case("no TLS at all", "http", null, null, null, "does not expect https"),
        new Case(
            "a file that is not there",
            "https",
            nowhere,
            null,
            null,
            "cannot use the TLS files for etcd"),
        new Case(
            "a key that is a certificate",
            "https",
            good.authority(),
            good.client(),
            good.client(),
            "cannot use the TLS files for etcd"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whoIsNotTrustedIsToldSo(Case each) {
    URI endpoint = URI.create(server.endpoint().replaceFirst("https", each.scheme()));
    EtcdOptions options =
        new EtcdOptions(List.of(endpoint), each.authority(), each.certificate(), each.key());
    assertThatThrownBy(() -> EtcdStore.open(options).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(each.says());
  }
}
