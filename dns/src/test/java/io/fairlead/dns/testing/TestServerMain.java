package io.fairlead.dns.testing;

import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server for the cluster of section 5 as a process of its own, on the usual ports: for clients
/// that know no others. The one argument is a key store (PKCS12, password `changeit`). Ends when
/// its input does.
public final class TestServerMain {
  private static final String COREFILE =
      """
      .:53 {
        kubernetes cluster.local in-addr.arpa ip6.arpa {
          ttl 30
          pods insecure
        }
        forward . upstream
      }
      tls://.:853 {
        certificate
        kubernetes cluster.local
        forward . upstream
      }
      https://.:443 {
        certificate
        kubernetes cluster.local
        forward . upstream
      }
      """;

  private TestServerMain() {}

  public static void main(String[] words) throws Exception {
    SSLContext context = context(Path.of(words[0]));
    try (TestDnsServer server =
        new TestDnsServer(
                COREFILE,
                SpecVectorCluster.cluster()::client,
                List.of("10.244.0.5"),
                List.of(new StubUpstream(), new Certificate(context)))
            .awaitDenial()) {
      System.out.println("ready " + server.address());
      while (System.in.read() >= 0) {
        // Until the parent lets go.
      }
    }
  }

  private static SSLContext context(Path file) throws Exception {
    char[] password = "changeit".toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /// Gives a block its certificate, as `tls` does from files.
  private record Certificate(SSLContext context) implements PluginFactory, Plugin {
    @Override
    public String name() {
      return "certificate";
    }

    @Override
    public Plugin create(List<Directive> lines, BlockContext block) {
      block.settings(
          block.settings().withTls(() -> context, BlockSettings.ClientAuthentication.NONE));
      return this;
    }
  }
}
