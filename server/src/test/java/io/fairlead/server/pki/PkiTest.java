package io.fairlead.server.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.tls.PemWriter;
import io.fairlead.server.ApiServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PkiTest {
  static final Instant START = Instant.parse("2026-11-15T08:00:00Z");

  @TempDir Path temporary;

  Path directory() {
    return temporary.resolve("pki");
  }

  static PkiOptions options(Instant now, String... names) {
    return new PkiOptions(
        List.of(names),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        InstantSource.fixed(now));
  }

  Pki openAt(Instant now) {
    return Pki.open(directory(), options(now, "localhost", "127.0.0.1"));
  }

  /// As kubeadm's, whose pods have tokens already.
  @Test
  void tokenKeysOfAnotherInstallationAreUsed() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair theirs = generator.generateKeyPair();
    KeyPair older = generator.generateKeyPair();
    Path signing =
        Files.writeString(temporary.resolve("sa.key"), PemWriter.privateKey(theirs.getPrivate()));
    Path pub =
        Files.writeString(
            temporary.resolve("sa.pub"),
            PemWriter.publicKey(theirs.getPublic()) + PemWriter.publicKey(older.getPublic()));
    Pki pki =
        Pki.open(
            directory(),
            new PkiOptions(
                List.of("localhost"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new ApiServerConfig.KeyFiles(
                    Optional.of(signing), List.of(pub), Optional.empty(), Optional.empty()),
                InstantSource.fixed(START)));
    assertThat(pki.tokenKeys().signing()).isEqualTo(theirs.getPrivate());
    assertThat(pki.tokenKeys().publicKeys()).containsExactly(theirs.getPublic(), older.getPublic());
    assertThat(directory().resolve("sa.key")).doesNotExist();
  }

  Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory())) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    contents.remove(".lock");
    return contents;
  }

  @Test
  void firstStartMakesAllFilesForTheOwnerOnly() throws IOException {
    openAt(START);
    assertThat(contents().keySet())
        .containsExactly(
            "admin.crt",
            "admin.key",
            "apiserver.crt",
            "apiserver.key",
            "ca.crt",
            "ca.key",
            "kube-controller-manager.crt",
            "kube-controller-manager.key",
            "kube-proxy.crt",
            "kube-proxy.key",
            "sa.key",
            "sa.pub");
    assertThat(mode(directory())).isEqualTo("rwx------");
    for (String name : contents().keySet()) {
      if (name.endsWith(".key")) {
        assertThat(mode(directory().resolve(name))).as(name).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void restartChangesNothing() throws IOException {
    openAt(START);
    Map<String, String> before = contents();
    openAt(START.plus(Duration.ofDays(200)));
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void certificatesSayWhoTheyAreFor() {
    Pki pki = openAt(START);
    assertThat(subject(pki.admin())).isEqualTo("CN=system:admin,O=system:masters");
    assertThat(subject(pki.component("kube-proxy"))).isEqualTo("CN=system:kube-proxy");
    assertThat(subject(pki.component("kube-scheduler"))).isEqualTo("CN=system:kube-scheduler");
    assertThat(subject(pki.node("worker-1.lan")))
        .isEqualTo("CN=system:node:worker-1.lan,O=system:nodes");
    assertThat(pki.admin().certificate().getNotAfter()).isEqualTo(START.plus(Duration.ofDays(365)));
    assertThat(pki.caPem()).startsWith("-----BEGIN CERTIFICATE-----\n");
    assertThat(pki.admin().keyPem()).startsWith("-----BEGIN EC PRIVATE KEY-----\n");
    assertThat(pki.admin().toString()).doesNotContain("PRIVATE");
  }

  @Test
  void lessThanNinetyDaysLeftRenewsCertificatesButNeitherKeysNorCa() throws IOException {
    openAt(START);
    Map<String, String> before = contents();
    Pki later = openAt(START.plus(Duration.ofDays(276)));
    List<String> changed = new ArrayList<>();
    contents()
        .forEach(
            (name, text) -> {
              if (!text.equals(before.get(name))) {
                changed.add(name);
              }
            });
    assertThat(changed)
        .containsExactly(
            "admin.crt", "apiserver.crt", "kube-controller-manager.crt", "kube-proxy.crt");
    assertThat(later.servingCertificate().getNotAfter())
        .isEqualTo(START.plus(Duration.ofDays(276 + 365)));
  }

  @Test
  void aNewNameIssuesTheServingCertificateAgain() throws Exception {
    Pki first = openAt(START);
    Pki second = Pki.open(directory(), options(START, "localhost", "127.0.0.1", "api.example.com"));
    assertThat(second.servingCertificate()).isNotEqualTo(first.servingCertificate());
    assertThat(second.servingCertificate().getPublicKey())
        .isEqualTo(first.servingCertificate().getPublicKey());
    assertThat(second.servingCertificate().getSubjectAlternativeNames())
        .contains(List.of(2, "api.example.com"), List.of(7, "127.0.0.1"));
    assertThat(openAt(START).servingCertificate()).isEqualTo(second.servingCertificate());
  }

  /// What a crash, a careless hand or a bad disk can leave, and whether a start repairs it.
  record Damage(String name, Action action, boolean caStays) {
    interface Action {
      void on(Path directory) throws IOException;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Damage> repairable() {
    return Stream.of(
        new Damage("crash after the first key", keepOnly("ca.key"), false),
        new Damage("crash after the CA", keepOnly("ca.key", "ca.crt"), true),
        new Damage("crash before the serving certificate", remove("apiserver.crt"), true),
        new Damage("serving key lost", remove("apiserver.key"), true),
        new Damage("serving certificate cut", cut("apiserver.crt"), true),
        new Damage("serving key cut", cut("apiserver.key"), true),
        new Damage("admin certificate of another key", copy("kube-proxy.crt", "admin.crt"), true),
        new Damage("public token key lost", remove("sa.pub"), true),
        new Damage("token key removed to rotate", remove("sa.key"), true),
        new Damage("half-written temporary left", leave("admin.key.new"), true));
  }

  @ParameterizedTest
  @MethodSource("repairable")
  void startRepairs(Damage damage) throws IOException {
    Pki before = openAt(START);
    damage.action().on(directory());
    Pki after = openAt(START);
    for (CertificateWithKey identity : List.of(after.admin(), after.component("kube-proxy"))) {
      assertThat(after.clientTrust().problem(identity.certificate(), List.of(), START)).isEmpty();
    }
    assertThat(
            KeyMatch.matches(
                after.tokenKeys().publicKeys().getFirst(), after.tokenKeys().signing()))
        .isTrue();
    if (damage.caStays()) {
      assertThat(after.caPem()).isEqualTo(before.caPem());
    }
    Map<String, String> repaired = contents();
    openAt(START);
    assertThat(contents()).isEqualTo(repaired);
  }

  @Test
  void aCaMadeAgainFromItsKeyStillCoversOldCertificates() throws IOException {
    Pki before = openAt(START);
    Files.delete(directory().resolve("ca.crt"));
    Pki after = openAt(START);
    assertThat(after.clientTrust().problem(before.admin().certificate(), List.of(), START))
        .isEmpty();
  }

  @Test
  void rotatedTokenKeyKeepsTheOldOneForChecking() throws IOException {
    Pki before = openAt(START);
    Files.delete(directory().resolve("sa.key"));
    Pki after = openAt(START);
    assertThat(after.tokenKeys().publicKeys())
        .hasSize(2)
        .element(1)
        .isEqualTo(before.tokenKeys().publicKeys().getFirst());
  }

  /// Damage that must not be repaired by guess.
  static Stream<Damage> fatal() {
    return Stream.of(
        new Damage("CA key lost: there is no such file", remove("ca.key"), true),
        new Damage("CA key of another: does not belong to", copy("admin.key", "ca.key"), true),
        new Damage("CA certificate cut: is damaged", cut("ca.crt"), true),
        new Damage("CA empty: no BEGIN CERTIFICATE", empty("ca.crt"), true),
        new Damage("token key of another: does not belong to", copy("ca.key", "sa.key"), true));
  }

  @ParameterizedTest
  @MethodSource("fatal")
  void startRefusesAndSaysWhy(Damage damage) throws IOException {
    openAt(START);
    damage.action().on(directory());
    assertThatThrownBy(() -> openAt(START))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining(damage.name().substring(damage.name().indexOf(": ") + 2));
  }

  @Test
  void anExpiredCaStopsTheStartAndNamesTheWayOut() {
    openAt(START);
    assertThatThrownBy(() -> openAt(START.plus(Duration.ofDays(3651))))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("expired at 2036")
        .hasMessageContaining("remove ca.crt");
  }

  @Test
  void aReadableKeyIsClosed() throws IOException {
    openAt(START);
    Path key = directory().resolve("ca.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    openAt(START);
    assertThat(mode(key)).isEqualTo("rw-------");
  }

  @Test
  void twoStartsAtOnceAgreeOnOneCa() throws Exception {
    List<Pki> opened = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(Thread.ofPlatform().start(() -> opened.add(openAt(START))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(opened).hasSize(4);
    assertThat(opened.stream().map(Pki::caPem).distinct()).hasSize(1);
    assertThat(opened.stream().map(pki -> pki.admin().certificatePem()).distinct()).hasSize(1);
  }

  @Test
  void servingNamesOfTheDefaults() {
    PkiOptions options =
        PkiOptions.of(ApiServerConfig.defaults(directory()), InstantSource.fixed(START));
    assertThat(options.servingNames())
        .contains(
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
            "localhost",
            SubjectAlternativeNames.hostName(),
            "127.0.0.1",
            "0:0:0:0:0:0:0:1",
            "10.96.0.1");
  }

  record Range(String name, String cidr, String first) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Range> ranges() {
    return Stream.of(
        new Range("IPv4", "10.96.0.0/12", "10.96.0.1"),
        new Range("IPv4 above 128", "192.168.7.0/24", "192.168.7.1"),
        new Range("host bits are cleared", "10.96.3.9/12", "10.96.0.1"),
        new Range("IPv6", "fd00:10:96::/112", "fd00:10:96:0:0:0:0:1"));
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void firstServiceAddress(Range range) {
    assertThat(SubjectAlternativeNames.firstServiceAddress(range.cidr())).isEqualTo(range.first());
  }

  private static String subject(CertificateWithKey identity) {
    return identity.certificate().getSubjectX500Principal().getName();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static Damage.Action keepOnly(String... names) {
    return directory -> {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          if (!List.of(names).contains(file.getFileName().toString())) {
            Files.delete(file);
          }
        }
      }
    };
  }

  private static Damage.Action remove(String name) {
    return directory -> Files.delete(directory.resolve(name));
  }

  private static Damage.Action cut(String name) {
    return directory -> {
      String text = Files.readString(directory.resolve(name));
      Files.writeString(directory.resolve(name), text.substring(0, text.length() / 2));
    };
  }

  private static Damage.Action empty(String name) {
    return directory -> Files.writeString(directory.resolve(name), "");
  }

  private static Damage.Action leave(String name) {
    return directory -> Files.writeString(directory.resolve(name), "-----BEGIN PRIV");
  }

  private static Damage.Action copy(String from, String to) {
    return directory ->
        Files.writeString(directory.resolve(to), Files.readString(directory.resolve(from)));
  }
}
