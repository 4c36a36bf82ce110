package io.fairlead.dns.settings;

import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A certificate with its key on disk. Safe for any thread.
final class TlsKeyFiles {
  private static final Logger log = LoggerFactory.getLogger(TlsKeyFiles.class);

  private final Path certificate;
  private final Path key;
  private final @Nullable Path authority;
  // Guarded by this.
  private SSLContext context;
  private FileTime read;

  TlsKeyFiles(Path certificate, Path key, @Nullable Path authority)
      throws IOException, GeneralSecurityException {
    this.certificate = certificate;
    this.key = key;
    this.authority = authority;
    this.read = Files.getLastModifiedTime(certificate);
    this.context = load();
  }

  /// Made from the files as they are now; the last good one while they are being replaced.
  synchronized SSLContext context() {
    try {
      FileTime now = Files.getLastModifiedTime(certificate);
      if (!now.equals(read)) {
        context = load();
        read = now;
      }
    } catch (IOException | GeneralSecurityException e) {
      log.atWarn().addKeyValue("file", certificate).setCause(e).log("keeping the old certificate");
    }
    return context;
  }

  private SSLContext load() throws IOException, GeneralSecurityException {
    ClientIdentity identity =
        new ClientIdentity.ClientCertificate(
            PemParser.certificates(Files.readAllBytes(certificate)),
            PemParser.privateKey(Files.readAllBytes(key)));
    Trust trust =
        authority == null
            ? new Trust.SystemRoots()
            : new Trust.Certificates(PemParser.certificates(Files.readAllBytes(authority)));
    return TlsContexts.of(trust, identity);
  }
}
