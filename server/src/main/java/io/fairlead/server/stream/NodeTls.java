package io.fairlead.server.stream;

import io.fairlead.server.pki.Identity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/// Connects to nodes' servers by TLS: shows who this server is, and believes a node by the
/// fingerprint that its agent has written to the Node, or else by the cluster's CA. A node may
/// write only to its own Node, so the fingerprint is as good as the node's own word.
public final class NodeTls {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int HANDSHAKE_MILLIS = 10_000;
  private static final char[] NO_PASSWORD = {};

  private final Identity client;
  private final List<X509Certificate> authorities;

  /// @param client who this server is to nodes
  /// @param authorities those who vouch for nodes without a fingerprint
  public NodeTls(Identity client, List<X509Certificate> authorities) {
    this.client = client;
    this.authorities = List.copyOf(authorities);
  }

  /// Connects and makes sure of the node.
  Socket connect(NodePlace place) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(place.host(), place.port()), CONNECT_MILLIS);
      plain.setSoTimeout(HANDSHAKE_MILLIS);
      SSLSocket secured =
          (SSLSocket)
              context(place)
                  .getSocketFactory()
                  .createSocket(plain, place.host(), place.port(), true);
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

  /// Connects by TLS to whoever answers, without a certificate of ours: what `https:` in a proxied
  /// name means. The API has no word for whom to trust there.
  static Socket connectToAnyone(String host, int port) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      plain.setSoTimeout(HANDSHAKE_MILLIS);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Anyone()}, null);
      SSLSocket secured =
          (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
      secured.startHandshake();
      plain.setSoTimeout(0);
      return secured;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    } catch (GeneralSecurityException e) {
      plain.close();
      throw new IOException("no TLS with " + host + ": " + e.getMessage(), e);
    }
  }

  private SSLContext context(NodePlace place) throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
    keys.load(null, null);
    keys.setKeyEntry(
        "server", client.key(), NO_PASSWORD, client.chain().toArray(X509Certificate[]::new));
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        managers.getKeyManagers(),
        place.fingerprint().isEmpty()
            ? byAuthority()
            : new TrustManager[] {new ByFingerprint(place.node(), place.fingerprint())},
        null);
    return context;
  }

  private TrustManager[] byAuthority() throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  /// Believes one certificate only, whoever signed it.
  private record ByFingerprint(String node, String wanted) implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this is for servers only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
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

  /// Believes every server. An extended one, since Java would check names for a plain one.
  private static final class Anyone extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
