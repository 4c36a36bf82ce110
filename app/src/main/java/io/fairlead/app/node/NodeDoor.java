package io.fairlead.app.node;

import io.fairlead.agent.api.NodeAccess;
import io.fairlead.agent.api.NodeServerOptions;
import io.fairlead.app.review.ReviewedAccess;
import io.fairlead.app.review.ReviewedTokens;
import io.fairlead.app.review.ShortMemory;
import io.fairlead.client.Client;
import io.fairlead.client.time.Ticker;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.CertificateAuthenticator;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.RequestAuthenticator;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.pki.ClientTrust;
import io.fairlead.server.pki.ComponentTls;
import io.fairlead.server.pki.Identity;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who may use a node's own server: people and parts that the cluster's CA or a token makes known,
/// and whom the API server lets do that with the Node. The API server itself is one of them.
public final class NodeDoor implements NodeAccess {
  private static final Duration BELIEVED = Duration.ofSeconds(10);

  private final String node;
  private final RequestAuthenticator authenticator;
  private final ReviewedAccess access;

  private NodeDoor(String node, RequestAuthenticator authenticator, ReviewedAccess access) {
    this.node = node;
    this.authenticator = authenticator;
    this.access = access;
  }

  /// Options for a server with a certificate of its own, made now.
  ///
  /// @param client asks the API server about tokens and rights
  /// @param authorities the CAs of client certificates
  /// @param names the node's name and addresses, for the certificate
  /// @param inside whether to listen in the node's network namespace
  public static NodeServerOptions options(
      Client client,
      List<X509Certificate> authorities,
      String node,
      List<String> names,
      String address,
      int port,
      boolean inside) {
    InstantSource clock = InstantSource.system();
    List<String> all = new ArrayList<>(List.of(node));
    all.addAll(names);
    Identity identity = ComponentTls.newIdentity(all, clock);
    NodeDoor door =
        new NodeDoor(
            node,
            new RequestAuthenticator(
                new CertificateAuthenticator(new ClientTrust(authorities), clock),
                List.of(new ReviewedTokens(client, new ShortMemory<>(BELIEVED, Ticker.system()))),
                false,
                clock),
            new ReviewedAccess(client, new ShortMemory<>(BELIEVED, Ticker.system())));
    return new NodeServerOptions(
        address,
        port,
        inside,
        ComponentTls.of(identity, authorities),
        fingerprint(identity.certificate()),
        door);
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException("a certificate made here has no fingerprint", e);
    }
  }

  @Override
  public void check(
      List<X509Certificate> certificates, @Nullable String token, String verb, String subresource) {
    UserInfo user =
        authenticator.authenticate(
            certificates.isEmpty()
                ? new Credentials(null, token)
                : new Credentials(
                    certificates.getFirst(), certificates.subList(1, certificates.size()), token));
    Forbidden.check(
        access, new Attributes(user, verb, "", "v1", "nodes", subresource, "", node, ""));
  }
}
