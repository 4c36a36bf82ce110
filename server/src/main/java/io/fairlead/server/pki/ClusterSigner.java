package io.fairlead.server.pki;

import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UniversalString;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/// Signs requests for certificates with the cluster's CA. What may be signed for whom is decided by
/// the caller; this class makes sure only that the sender has the key.
final class ClusterSigner implements CertificateSigner {
  private final CertificateWithKey authority;
  private final InstantSource clock;

  ClusterSigner(CertificateWithKey authority, InstantSource clock) {
    this.authority = authority;
    this.clock = clock;
  }

  @Override
  public Optional<Request> read(String pem) {
    return parse(pem).flatMap(ClusterSigner::request);
  }

  @Override
  public Optional<String> sign(String pem, boolean server, Duration validity) {
    Optional<JcaPKCS10CertificationRequest> parsed = parse(pem);
    Optional<Request> asked = parsed.flatMap(ClusterSigner::request);
    if (parsed.isEmpty() || asked.isEmpty()) {
      return Optional.empty();
    }
    try {
      CertificateSubject subject =
          new CertificateSubject(
              asked.get().commonName(), asked.get().organizations(), asked.get().names(), server);
      CertificateWithKey signed =
          new CertificateWithKey(
              List.of(
                  new CertificateIssuer()
                      .leaf(
                          authority,
                          parsed.get().getPublicKey(),
                          subject,
                          clock.instant(),
                          validity)),
              authority.key());
      return Optional.of(signed.certificatePem());
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }

  private static Optional<JcaPKCS10CertificationRequest> parse(String pem) {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      if (!(parser.readObject() instanceof PKCS10CertificationRequest read)) {
        return Optional.empty();
      }
      JcaPKCS10CertificationRequest request = new JcaPKCS10CertificationRequest(read);
      boolean proven =
          request.isSignatureValid(
              new JcaContentVerifierProviderBuilder().build(request.getPublicKey()));
      return proven ? Optional.of(request) : Optional.empty();
    } catch (IOException
        | GeneralSecurityException
        | OperatorCreationException
        | PKCSException
        | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<Request> request(PKCS10CertificationRequest request) {
    if (!isPlain(request.getSubject())) {
      return Optional.empty();
    }
    List<String> commonNames = texts(request.getSubject(), BCStyle.CN);
    List<String> names = new ArrayList<>();
    boolean others = false;
    Extensions extensions = request.getRequestedExtensions();
    GeneralNames asked =
        extensions == null
            ? null
            : GeneralNames.fromExtensions(extensions, Extension.subjectAlternativeName);
    for (GeneralName name : asked == null ? new GeneralName[0] : asked.getNames()) {
      switch (name.getTagNo()) {
        case GeneralName.dNSName -> names.add(name.getName().toString());
        case GeneralName.iPAddress -> {
          try {
            byte[] address = ASN1OctetString.getInstance(name.getName()).getOctets();
            names.add(InetAddress.getByAddress(address).getHostAddress());
          } catch (IOException _) {
            return Optional.empty();
          }
        }
        default -> others = true;
      }
    }
    // Two common names would leave open which one is the user.
    return commonNames.size() > 1
        ? Optional.empty()
        : Optional.of(
            new Request(
                commonNames.isEmpty() ? "" : commonNames.getFirst(),
                texts(request.getSubject(), BCStyle.O),
                names,
                others));
  }

  /// Whether all readers of certificates see the same users and groups in it: one in each part, as
  /// a text of a common encoding without control characters.
  private static boolean isPlain(X500Name name) {
    for (RDN part : name.getRDNs()) {
      if (part.isMultiValued()
          || !(part.getFirst().getValue() instanceof ASN1String text)
          || text instanceof ASN1UniversalString
          || text.getString().chars().anyMatch(Character::isISOControl)) {
        return false;
      }
    }
    return true;
  }

  private static List<String> texts(X500Name name, ASN1ObjectIdentifier type) {
    List<String> texts = new ArrayList<>();
    for (RDN part : name.getRDNs(type)) {
      if (part.getFirst().getValue() instanceof ASN1String text) {
        texts.add(text.getString());
      }
    }
    return texts;
  }
}
