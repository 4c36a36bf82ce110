package io.fairlead.server.pki;

import java.io.IOException;
import java.io.StringReader;
import java.security.PrivateKey;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/// Reads the older key forms of other tools: PKCS#1 (`RSA PRIVATE KEY`) and SEC 1 (`EC PRIVATE KEY`
/// with or without a parameters block before it).
final class ForeignPrivateKey {
  private ForeignPrivateKey() {}

  static PrivateKey parse(String text) throws IOException {
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      for (Object next = parser.readObject(); next != null; next = parser.readObject()) {
        if (next instanceof PEMKeyPair pair) {
          return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
        }
        if (next instanceof PrivateKeyInfo info) {
          return new JcaPEMKeyConverter().getPrivateKey(info);
        }
      }
    }
    throw new IOException("no key of a known form");
  }
}
