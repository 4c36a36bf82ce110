package io.fairlead.server.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Makes keys and certificates. Loaded only when one is needed: BouncyCastle costs a tenth of a
/// second that an ordinary restart does not pay.
final class CertificateIssuer {
  /// Clocks of other machines may lag behind ours by this much.
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final String SIGNATURE = "SHA256withECDSA";

  private final SecureRandom random = new SecureRandom();

  KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no P-256 keys", e);
    }
  }

  /// The public half of a P-256 or RSA key.
  PublicKey publicOf(PrivateKey key) throws GeneralSecurityException {
    if (key instanceof RSAPrivateCrtKey rsa) {
      return KeyFactory.getInstance("RSA")
          .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
    }
    if (!(key instanceof ECPrivateKey ec) || ec.getParams().getOrder().bitLength() != 256) {
      throw new GeneralSecurityException("not a P-256 key");
    }
    try {
      var half = (ECPrivateKeyParameters) PrivateKeyFactory.createKey(key.getEncoded());
      var point = half.getParameters().getG().multiply(half.getD()).normalize();
      byte[] encoded =
          SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(
                  new ECPublicKeyParameters(point, half.getParameters()))
              .getEncoded();
      return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
    } catch (IOException | ClassCastException e) {
      throw new GeneralSecurityException("not a P-256 key", e);
    }
  }

  /// A certificate that signs itself. Its name comes from the key, so that two clusters on one
  /// machine can be told apart and making it again from the same key gives the same issuer.
  X509Certificate authority(KeyPair key, Instant now, Duration validity) {
    X500Name name = authorityName(key);
    return authority(name, name, key.getPublic(), key.getPrivate(), now, validity);
  }

  /// A CA below another.
  X509Certificate intermediate(
      CertificateWithKey above, KeyPair key, Instant now, Duration validity) {
    return authority(
        X500Name.getInstance(above.certificate().getSubjectX500Principal().getEncoded()),
        authorityName(key),
        key.getPublic(),
        above.key(),
        now,
        validity);
  }

  private static X500Name authorityName(KeyPair key) {
    return new X500NameBuilder(BCStyle.INSTANCE)
        .addRDN(BCStyle.CN, "fairlead-ca-" + shortHash(key.getPublic()))
        .build();
  }

  private X509Certificate authority(
      X500Name issuer,
      X500Name name,
      PublicKey key,
      PrivateKey signing,
      Instant now,
      Duration validity) {
    try {
      X509v3CertificateBuilder builder = builder(issuer, name, key, now, now.plus(validity));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
      return sign(builder, signing);
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot make a CA", e);
    }
  }

  /// A certificate for a server or a client, signed by `authority`. It ends no later than the CA.
  X509Certificate leaf(
      CertificateWithKey authority,
      PublicKey key,
      CertificateSubject subject,
      Instant now,
      Duration validity) {
    try {
      X509Certificate ca = authority.certificate();
      Instant end = now.plus(validity);
      Instant caEnd = ca.getNotAfter().toInstant();
      X509v3CertificateBuilder builder =
          builder(
              X500Name.getInstance(ca.getSubjectX500Principal().getEncoded()),
              name(subject),
              key,
              now,
              end.isBefore(caEnd) ? end : caEnd);
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(ca.getPublicKey()));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      KeyPurposeId purpose =
          subject.isServer() ? KeyPurposeId.id_kp_serverAuth : KeyPurposeId.id_kp_clientAuth;
      builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
      if (!subject.alternativeNames().isEmpty()) {
        builder.addExtension(
            Extension.subjectAlternativeName, false, names(subject.alternativeNames()));
      }
      return sign(builder, authority.key());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot make a certificate for " + subject.commonName(), e);
    }
  }

  private X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Instant now, Instant end)
      throws IOException, GeneralSecurityException {
    X509v3CertificateBuilder builder =
        new X509v3CertificateBuilder(
            issuer,
            new BigInteger(127, random).add(BigInteger.ONE),
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(end),
            subject,
            SubjectPublicKeyInfo.getInstance(key.getEncoded()));
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
    return builder;
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws OperatorCreationException, GeneralSecurityException {
    String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : SIGNATURE;
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
  }

  private static X500Name name(CertificateSubject subject) {
    X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
    // As they are: of a String the builder would read `#0c…` and backslashes as something else.
    subject.organizations().forEach(group -> name.addRDN(BCStyle.O, new DERUTF8String(group)));
    return name.addRDN(BCStyle.CN, new DERUTF8String(subject.commonName())).build();
  }

  private static GeneralNames names(List<String> alternativeNames) {
    return new GeneralNames(
        alternativeNames.stream()
            .map(
                name ->
                    new GeneralName(
                        SubjectAlternativeNames.isLiteral(name)
                            ? GeneralName.iPAddress
                            : GeneralName.dNSName,
                        name))
            .toArray(GeneralName[]::new));
  }

  private static String shortHash(PublicKey key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      return HexFormat.of().formatHex(hash, 0, 4);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
