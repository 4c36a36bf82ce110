package io.fairlead.app.node;

import io.fairlead.agent.api.NodeAccess;
import io.fairlead.agent.api.NodeServerOptions;
import io.fairlead.app.review.ExpiringCache;
import io.fairlead.app.review.SubjectAccessReviewAuthorizer;
import io.fairlead.app.review.TokenReviewAuthenticator;
import io.fairlead.client.Client;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.CertificateAuthenticator;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.Impersonation;
import io.fairlead.server.auth.RequestAuthenticator;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.pki.CertificateWithKey;
import io.fairlead.server.pki.ClientCertificateVerifier;
import io.fairlead.server.pki.ComponentTls;
import io.fairlead.work.Ticker;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who may use a node's own server: people and parts that the cluster's CA or a token makes known,
/// and whom the API server lets do that with the Node. The API server itself is one of them.
public final class NodeServerAuth implements NodeAccess {
  private static final Duration BELIEVED = Duration.ofSeconds(10);

  private final String node;
  private final RequestAuthenticator authenticator;
  private final SubjectAccessReviewAuthorizer access;

  private NodeServerAuth(
      String node, RequestAuthenticator authenticator, SubjectAccessReviewAuthorizer access) {
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
    CertificateWithKey identity = ComponentTls.newIdentity(all, clock);
    NodeServerAuth auth =
        new NodeServerAuth(
            node,
            new RequestAuthenticator(
                new CertificateAuthenticator(new ClientCertificateVerifier(authorities), clock),
                List.of(
                    new TokenReviewAuthenticator(
                        client, new ExpiringCache<>(BELIEVED, Ticker.system()))),
                false,
                clock),
            new SubjectAccessReviewAuthorizer(
                client, new ExpiringCache<>(BELIEVED, Ticker.system())));
    return new NodeServerOptions(
        address,
        port,
        inside,
        ComponentTls.of(identity, authorities),
        fingerprint(identity.certificate()),
        auth,
        node,
        Optional.empty());
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
    Forbidden.check(
        access,
        new Attributes(
            user(certificates, token), verb, "", "v1", "nodes", subresource, "", node, ""));
  }

  private UserInfo user(List<X509Certificate> certificates, @Nullable String token) {
    return authenticator.authenticate(
        certificates.isEmpty()
            ? new Credentials(null, token)
            : new Credentials(
                certificates.getFirst(), certificates.subList(1, certificates.size()), token));
  }

  @Override
  public NodeCaller identify(
      List<X509Certificate> certificates,
      @Nullable String token,
      Map<String, List<String>> impersonation) {
    UserInfo sender = user(certificates, token);
    return new ReviewedCaller(
        impersonation.isEmpty() ? sender : Impersonation.apply(sender, impersonation, access),
        access);
  }

  /// A caller whose rights the API server knows.
  private record ReviewedCaller(UserInfo user, SubjectAccessReviewAuthorizer access)
      implements NodeCaller {
    @Override
    public String name() {
      return user.name();
    }

    private Attributes attributes(
        String verb, String resource, String subresource, String namespace, String name) {
      return new Attributes(user, verb, "", "v1", resource, subresource, namespace, name, "");
    }

    @Override
    public boolean may(
        String verb, String resource, String subresource, String namespace, String name) {
      return access.authorize(attributes(verb, resource, subresource, namespace, name)).allowed();
    }

    @Override
    public void check(
        String verb, String resource, String subresource, String namespace, String name) {
      Forbidden.check(access, attributes(verb, resource, subresource, namespace, name));
    }
  }
}
