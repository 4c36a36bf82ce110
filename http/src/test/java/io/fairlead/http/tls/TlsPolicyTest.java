package io.fairlead.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsPolicyTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "TLS_AES_128_GCM_SHA256, true",
    "TLS_CHACHA20_POLY1305_SHA256, true",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, true",
    "TLS_RSA_WITH_AES_128_GCM_SHA256, false",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, false",
    "TLS_ECDHE_ECDSA_WITH_NULL_SHA, false",
    "SSL_RSA_WITH_RC4_128_MD5, false",
  })
  void suitesHaveForwardSecrecyAndAnAuthenticatedCipher(String suite, boolean allowed) {
    assertThat(TlsPolicy.allows(suite)).isEqualTo(allowed);
    assertThat(TlsPolicy.excluded(new String[] {suite}).length == 0).isEqualTo(allowed);
  }

  @Test
  void clientsAndSocketsGetTheSameRule() throws Exception {
    SSLContext context = TlsPolicy.context(null, TlsPolicy.trustingAnyone());
    check(TlsPolicy.parameters(context));
    try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
      TlsPolicy.restrict(socket);
      check(socket.getSSLParameters());
    }
  }

  private static void check(SSLParameters parameters) {
    assertThat(parameters.getProtocols()).containsExactly("TLSv1.3", "TLSv1.2");
    assertThat(parameters.getCipherSuites())
        .contains("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
        .allMatch(TlsPolicy::allows);
  }
}
