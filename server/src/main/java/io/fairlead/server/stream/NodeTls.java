package io.fairlead.server.stream;

import io.fairlead.http.tls.TlsPolicy;
import io.fairlead.server.pki.CertificateWithKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/// Connects to nodes' servers by TLS: shows who this server is, and believes a node by the
/// fingerprint that its agent has written to the Node, or else by the cluster's CA. A node may
/// write only to its own Node, so the fingerprint is as good as the node's own word.
///
/// A peer that shows the certificate of an API server is refused before it gets to see the client
/// certificate: with that, a request that was led back here would be one of `system:masters`.
public final class NodeTls {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int HANDSHAKE_MILLIS = 10_000;

  private final CertificateWithKey client;
  private final List<X509Certificate> authorities;
  private final Supplier<X509Certificate> own;

  /// @param client who this server is to nodes
  /// @param authorities those who vouch for nodes without a fingerprint
  /// @param own the certificate that this server shows to its clients
  public NodeTls(
      CertificateWithKey client, List<X509Certificate> authorities, Supplier<X509Certificate> own) {
    this.client = client;
    this.authorities = List.copyOf(authorities);
    this.own = own;
  }

  /// The certificate that this server shows to its clients.
  public Supplier<X509Certificate> own() {
    return own;
  }

  /// Connects and makes sure of the node.
  Socket connect(NodeServerEndpoint place) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(place.address(), place.port()), CONNECT_MILLIS);
      plain.setSoTimeout(HANDSHAKE_MILLIS);
      SSLSocket secured =
          (SSLSocket)
              context(place)
                  .getSocketFactory()
                  .createSocket(plain, place.host(), place.port(), true);
      TlsPolicy.restrict(secured);
      if (place.fingerprint().isEmpty()) {
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
      }
      secured.startHandshake();
      plain.setSoTimeout(0);
      return secured;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    } catch (GeneralSecurityException e) {
      plain.close();
      throw new IOException("no TLS with node " + place.node() + ": " + e.getMessage(), e);
    }
  }

  /// Connects by TLS to the peer that answers, without a certificate of ours: what `https:` in a
  /// proxied name means. The API has no word for whom to trust there.
  static Socket connectToAnyone(InetAddress host, int port) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      plain.setSoTimeout(HANDSHAKE_MILLIS);
      SSLSocket secured =
          (SSLSocket)
              TlsPolicy.context(null, TlsPolicy.trustingAnyone())
                  .getSocketFactory()
                  .createSocket(plain, host.getHostAddress(), port, true);
      secured.startHandshake();
      plain.setSoTimeout(0);
      return secured;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    } catch (GeneralSecurityException e) {
      plain.close();
      throw new IOException("no TLS with " + host.getHostAddress() + ": " + e.getMessage(), e);
    }
  }

  private SSLContext context(NodeServerEndpoint place) throws GeneralSecurityException {
    TrustManager trust =
        place.fingerprint().isEmpty()
            ? new ByAuthority(byAuthority())
            : new ByFingerprint(place.node(), place.fingerprint());
    return TlsPolicy.context(
        TlsPolicy.showing(client.chain(), client.key()), new TrustManager[] {trust});
  }

  private void refuseApiServer(X509Certificate[] chain) throws CertificateException {
    if (chain[0].equals(own.get())
        || chain[0].getSubjectX500Principal().getName().contains("CN=kube-apiserver")) {
      throw new CertificateException("this is an API server and no node");
    }
  }

  private X509ExtendedTrustManager byAuthority() throws GeneralSecurityException {
    for (TrustManager each : TlsPolicy.trusting(authorities)) {
      if (each instanceof X509ExtendedTrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("the platform has no trust manager for certificates");
  }

  /// Believes what the cluster's CA signed for that name.
  private final class ByAuthority extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager authority;

    ByAuthority(X509ExtendedTrustManager authority) {
      this.authority = authority;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      refuseApiServer(chain);
      authority.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      refuseApiServer(chain);
      authority.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      refuseApiServer(chain);
      authority.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("this is for servers only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("this is for servers only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this is for servers only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return authority.getAcceptedIssuers();
    }
  }

  /// Trusts one certificate only, independent of its issuer.
  private final class ByFingerprint implements X509TrustManager {
    private final String node;
    private final String wanted;

    ByFingerprint(String node, String wanted) {
      this.node = node;
      this.wanted = wanted;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this is for servers only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      refuseApiServer(chain);
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
        if (!MessageDigest.isEqual(
            digest, HexFormat.of().parseHex(wanted.toLowerCase(Locale.ROOT)))) {
          throw new CertificateException(
              "node " + node + " shows another certificate than its Node names");
        }
      } catch (GeneralSecurityException e) {
        throw e instanceof CertificateException refused ? refused : new CertificateException(e);
      } catch (IllegalArgumentException e) {
        throw new CertificateException("the fingerprint in Node " + node + " is damaged", e);
      }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
