package io.fairlead.server.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys and certificates of one cluster, kept in a directory and made when they are missing.
///
/// | file | what |
/// |---|---|
/// | `ca.crt`, `ca.key` | the cluster's CA; made once, never replaced |
/// | `apiserver.crt`, `.key` | what the server shows |
/// | `sa.key`, `sa.pub` | signs service account tokens; further keys in `sa.pub` are accepted |
/// | `admin.crt`, `.key` | user `system:admin` of group `system:masters` |
/// | `apiserver-kubelet-client.crt`, `.key` | who the server is to nodes |
/// | `kube-proxy`, `kube-controller-manager`, `node-NAME` | the components |
/// | `front-proxy-ca`, `front-proxy-client` | who the server is to aggregated API servers |
///
/// How it works: a key is written before its certificate, and each file appears as a whole. So
/// whatever a crash leaves is one of: nothing (all is made), a key alone (its certificate is made),
/// both. A certificate is issued again, with the key it had, when it has less than 90 days to live,
/// lacks a wanted name, or was not signed by the present CA. Only the CA is never repaired by
/// guess: a key that does not fit stops the start.
///
/// Safe for all threads; files are written under a lock. [#reload] replaces what is shown and what
/// is trusted at once, all else stays as it was opened.
public final class Pki {
  static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3650);
  static final Duration LEAF_VALIDITY = Duration.ofDays(365);
  static final Duration RENEW_BEFORE = Duration.ofDays(90);

  private static final Logger log = LoggerFactory.getLogger(Pki.class);
  private static final Pattern FILE_NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{0,200}");

  /// What signs service account tokens, and what may have signed older ones.
  ///
  /// @param publicKeys the signing key's own first
  public record TokenKeys(PrivateKey signing, List<PublicKey> publicKeys) {
    public TokenKeys {
      publicKeys = List.copyOf(publicKeys);
    }
  }

  private final PkiFiles files;
  private final PkiOptions options;
  private final CertificateWithKey authority;
  private final CertificateWithKey admin;
  private final TokenKeys tokenKeys;
  private volatile Shown shown;

  /// What the server shows to clients, and by whom theirs must be signed.
  private record Shown(CertificateWithKey serving, ClientCertificateVerifier clientTrust) {}

  private Pki(Path directory, PkiOptions options) {
    this.options = options;
    this.files = new PkiFiles(directory);
    this.authority = ensureAuthority("ca", "the cluster CA");
    this.admin =
        ensure("admin", CertificateSubject.client("system:admin", List.of("system:masters")));
    this.tokenKeys = ensureTokenKeys();
    this.shown = readShown();
    component("kube-proxy");
    component("kube-controller-manager");
  }

  /// Opens that directory, after making or renewing what is missing or near its end.
  ///
  /// @throws PkiException when a file is damaged, does not fit or cannot be written
  public static Pki open(Path directory, PkiOptions options) {
    return new Pki(directory, options);
  }

  /// Reads the serving certificate with its key and the client CA again, or renews the server's own
  /// certificate when it is near its end. Connections that are open stay so.
  ///
  /// @throws PkiException when one of the files cannot be used; all stays as it was
  public void reload() {
    shown = readShown();
  }

  private Shown readShown() {
    CertificateWithKey serving =
        options.tlsCertFile().isPresent() ? foreignServing(options) : ownServing();
    return new Shown(
        serving,
        new ClientCertificateVerifier(
            options
                .clientCaFile()
                .map(file -> PemCodec.certificates(file, "the client CA"))
                .orElse(authority.chain())));
  }

  /// Server side of TLS. Ask clients for a certificate with `wantClientAuth`; it is judged by the
  /// authenticator, not here.
  public SSLContext serverContext() {
    return ServerTls.context(() -> shown.serving(), () -> shown.clientTrust().authorities());
  }

  /// The cluster CA, for `certificate-authority-data` and `kube-root-ca.crt`.
  public String caPem() {
    return authority.certificatePem();
  }

  /// Signs requests for certificates with the cluster's CA.
  public CertificateSigner signer() {
    return new ClusterSigner(authority, options.clock());
  }

  /// The CAs that clients' certificates are checked with.
  public String clientTrustPem() {
    return PemCodec.certificates(shown.clientTrust().authorities());
  }

  /// What a client must trust to reach this server: the cluster CA, or the brought certificate with
  /// its chain.
  public String servingTrustPem() {
    return options.tlsCertFile().isPresent() ? shown.serving().certificatePem() : caPem();
  }

  /// The certificate the server shows.
  public X509Certificate servingCertificate() {
    return shown.serving().certificate();
  }

  /// The administrator, for the kubeconfig.
  public CertificateWithKey admin() {
    return admin;
  }

  /// A control plane component by its short name: user `system:NAME`, made when it is new.
  public CertificateWithKey component(String name) {
    return ensure(name, CertificateSubject.client("system:" + name, List.of()));
  }

  /// A node's agent: user `system:node:NAME` of group `system:nodes`, made when it is new.
  public CertificateWithKey node(String name) {
    return ensure(
        "node-" + name, CertificateSubject.client("system:node:" + name, List.of("system:nodes")));
  }

  /// Who the server is to nodes: user `kube-apiserver-kubelet-client` of group `system:masters`,
  /// the identity other installations give it too, made when it is new.
  public CertificateWithKey nodeClient() {
    Optional<Path> certificate = options.keyFiles().nodeClientCertificate();
    if (certificate.isPresent()) {
      return ForeignKeys.pair(
          certificate.get(),
          options.keyFiles().nodeClientKey().orElseThrow(),
          "the certificate for nodes");
    }
    return ensure(
        "apiserver-kubelet-client",
        CertificateSubject.client("kube-apiserver-kubelet-client", List.of("system:masters")));
  }

  /// Who the server is to aggregated API servers, made when it is new. Its CA is another one than
  /// the cluster's: they let every holder of a certificate of it speak for any user.
  public FrontProxy frontProxy() {
    CertificateWithKey above = ensureAuthority("front-proxy-ca", "the CA of the front proxy");
    return new FrontProxy(
        ensure(FrontProxy.NAME, CertificateSubject.client(FrontProxy.NAME, List.of()), above),
        above.certificatePem());
  }

  /// The cluster CA.
  public List<X509Certificate> authority() {
    return authority.chain();
  }

  public TokenKeys tokenKeys() {
    return tokenKeys;
  }

  public ClientCertificateVerifier clientTrust() {
    return shown.clientTrust();
  }

  private CertificateWithKey ensureAuthority(String name, String what) {
    if (!files.exists(name + ".crt")) {
      files.locked(
          () -> {
            if (!files.exists(name + ".crt")) {
              makeAuthority(name, what);
            }
            return true;
          });
    }
    X509Certificate certificate = PemCodec.certificates(files.path(name + ".crt"), what).getFirst();
    PrivateKey key = PemCodec.privateKey(files.path(name + ".key"), what + "'s key");
    files.tightenKey(name + ".key");
    if (!KeyMatch.matches(certificate.getPublicKey(), key, files.path(name + ".key"))) {
      throw new PkiException(
          "cannot use " + what,
          files.path(name + ".key") + " does not belong to " + files.path(name + ".crt"),
          "restore both files from the same backup");
    }
    Duration left = Duration.between(now(), certificate.getNotAfter().toInstant());
    if (left.isNegative()) {
      throw new PkiException(
          "cannot use " + what,
          files.path(name + ".crt") + " expired at " + certificate.getNotAfter().toInstant(),
          "remove "
              + name
              + ".crt; it is made again from "
              + name
              + ".key, then hand it to all clients");
    }
    if (left.compareTo(RENEW_BEFORE) < 0) {
      log.atWarn().addKeyValue("daysLeft", left.toDays()).log(what + " ends soon");
    }
    return new CertificateWithKey(List.of(certificate), key);
  }

  private void makeAuthority(String name, String what) {
    CertificateIssuer issuer = new CertificateIssuer();
    KeyPair key;
    if (files.exists(name + ".key")) {
      PrivateKey kept = PemCodec.privateKey(files.path(name + ".key"), what + "'s key");
      key = new KeyPair(publicOf(issuer, kept, name + ".key"), kept);
    } else {
      key = issuer.newKey();
      files.writeKey(name + ".key", PemCodec.keyPair(key));
    }
    X509Certificate certificate = issuer.authority(key, now(), AUTHORITY_VALIDITY);
    files.writePublic(name + ".crt", PemCodec.certificates(List.of(certificate)));
    log.atInfo().addKeyValue("file", files.path(name + ".crt")).log("made " + what);
  }

  private TokenKeys ensureTokenKeys() {
    Optional<Path> brought = options.keyFiles().tokenSigningKey();
    return brought.isPresent()
        ? ForeignKeys.tokenKeys(brought.get(), options.keyFiles().tokenKeys())
        : ForeignKeys.withFurther(ownTokenKeys(), options.keyFiles().tokenKeys());
  }

  private TokenKeys ownTokenKeys() {
    if (!files.exists("sa.key") || !files.exists("sa.pub")) {
      files.locked(
          () -> {
            if (!files.exists("sa.key")) {
              KeyPair pair = new CertificateIssuer().newKey();
              // The other order could leave a key that signs what no server accepts.
              files.writePublic("sa.pub", PemCodec.publicKey(pair.getPublic()) + olderTokenKeys());
              files.writeKey("sa.key", PemCodec.keyPair(pair));
            } else if (!files.exists("sa.pub")) {
              PrivateKey kept = PemCodec.privateKey(files.path("sa.key"), "the token signing key");
              PublicKey half = publicOf(new CertificateIssuer(), kept, "sa.key");
              files.writePublic("sa.pub", PemCodec.publicKey(half));
            }
            return true;
          });
    }
    files.tightenKey("sa.key");
    PrivateKey signing = PemCodec.privateKey(files.path("sa.key"), "the token signing key");
    List<PublicKey> keys = PemCodec.publicKeys(files.path("sa.pub"), "the token keys");
    if (!KeyMatch.matches(keys.getFirst(), signing, files.path("sa.key"))) {
      throw new PkiException(
          "cannot sign service account tokens",
          files.path("sa.key") + " does not belong to the first key of " + files.path("sa.pub"),
          "restore both from the same backup, or remove sa.key to sign with a new key");
    }
    return new TokenKeys(signing, keys);
  }

  /// After `sa.key` was removed to rotate it, tokens signed with the old one stay valid.
  private String olderTokenKeys() {
    if (!files.exists("sa.pub")) {
      return "";
    }
    StringBuilder older = new StringBuilder();
    PemCodec.publicKeys(files.path("sa.pub"), "the token keys")
        .forEach(key -> older.append(PemCodec.publicKey(key)));
    return older.toString();
  }

  private PublicKey publicOf(CertificateIssuer issuer, PrivateKey key, String name) {
    try {
      return issuer.publicOf(key);
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "cannot use " + files.path(name),
          "it is not an EC P-256 key",
          "remove it to have a new one made",
          e);
    }
  }

  private CertificateWithKey ownServing() {
    return ensure("apiserver", CertificateSubject.server("kube-apiserver", options.servingNames()));
  }

  private static CertificateWithKey foreignServing(PkiOptions options) {
    return foreignServing(
        options.tlsCertFile().orElseThrow(),
        options.tlsPrivateKeyFile().orElseThrow(),
        options.clock());
  }

  /// A serving certificate from a file of the administrator.
  static CertificateWithKey foreignServing(
      Path certificateFile, Path keyFile, InstantSource clock) {
    List<X509Certificate> chain = PemCodec.certificates(certificateFile, "the serving certificate");
    PrivateKey key = PemCodec.privateKey(keyFile, "the serving key");
    if (!KeyMatch.matches(chain.getFirst().getPublicKey(), key)) {
      throw new PkiException(
          "cannot serve TLS",
          keyFile + " does not belong to the first certificate of " + certificateFile,
          "give the key this certificate was made for; the server's own comes before its CA");
    }
    if (clock.instant().isAfter(chain.getFirst().getNotAfter().toInstant())) {
      log.atWarn()
          .addKeyValue("file", certificateFile)
          .addKeyValue("expired", chain.getFirst().getNotAfter().toInstant())
          .log("the serving certificate has expired, clients will refuse it");
    }
    return new CertificateWithKey(chain, key);
  }

  private CertificateWithKey ensure(String name, CertificateSubject subject) {
    return ensure(name, subject, authority);
  }

  private CertificateWithKey ensure(
      String name, CertificateSubject subject, CertificateWithKey authority) {
    if (!FILE_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a component or node name: " + name);
    }
    LeafCertificateFiles leaf =
        new LeafCertificateFiles(files, name, subject, authority.certificate());
    CertificateWithKey present = leaf.load(now().plus(RENEW_BEFORE));
    if (present != null) {
      return present;
    }
    return files.locked(
        () -> {
          CertificateWithKey meanwhile = leaf.load(now().plus(RENEW_BEFORE));
          return meanwhile != null ? meanwhile : leaf.issue(authority, now(), LEAF_VALIDITY);
        });
  }

  private Instant now() {
    return options.clock().instant();
  }
}
