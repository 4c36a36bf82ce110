package io.fairlead.client.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TestFiles;
import io.fairlead.client.tls.Trust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KubeconfigTest {
  @TempDir Path directory;

  private Path file(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content.replace('\'', '"'));
  }

  private static String base64(String resource) {
    return Base64.getEncoder().encodeToString(TestFiles.read(resource));
  }

  private static String config(String cluster, String user) {
    return "{'current-context':'x','clusters':[{'name':'c','cluster':{"
        + cluster
        + "}}],'users':[{'name':'u','user':{"
        + user
        + "}}],'contexts':[{'name':'x','context':{'cluster':'c','user':'u','namespace':'team'}}]}";
  }

  @Test
  void embeddedDataGivesAConnectionWithClientCertificate() throws IOException {
    Path file =
        file(
            "config",
            config(
                "'server':'https://10.0.0.1:6443','tls-server-name':'api',"
                    + "'certificate-authority-data':'"
                    + base64("rsa-certificate.pem")
                    + "'",
                "'client-certificate-data':'"
                    + base64("ec-certificate.pem")
                    + "','client-key-data':'"
                    + base64("ec-sec1.pem")
                    + "'"));
    ClientConfig connection = Kubeconfig.read(file).connection();
    assertThat(connection.server()).isEqualTo(URI.create("https://10.0.0.1:6443"));
    assertThat(connection.tlsServerName()).contains("api");
    assertThat(connection.namespace()).isEqualTo("team");
    assertThat(connection.trust()).isInstanceOf(Trust.Certificates.class);
    assertThat(connection.identity()).isInstanceOf(ClientIdentity.ClientCertificate.class);
  }

  @Test
  void pathsAreRelativeToTheirFile() throws IOException {
    file("deep/ca.pem", new String(TestFiles.read("rsa-certificate.pem"), UTF_8));
    file("deep/me.pem", new String(TestFiles.read("rsa-certificate.pem"), UTF_8));
    file("deep/me.key", new String(TestFiles.read("rsa-pkcs1.pem"), UTF_8));
    Path file =
        file(
            "deep/config",
            config(
                "'server':'https://h','certificate-authority':'ca.pem'",
                "'client-certificate':'me.pem','client-key':'me.key'"));
    ClientConfig connection = Kubeconfig.read(file).connection();
    assertThat(connection.identity()).isInstanceOf(ClientIdentity.ClientCertificate.class);
    assertThat(connection.port()).isEqualTo(443);
  }

  @Test
  void theFirstFileOfAListWinsAndMissingOnesAreSkipped() throws IOException {
    Path first =
        file(
            "1",
            "{'clusters':[{'name':'c','cluster':{'server':'https://one'}}],'current-context':'y'}");
    Path second =
        file(
            "2",
            "{'clusters':[{'name':'c','cluster':{'server':'https://two'}}],"
                + "'contexts':[{'name':'y','context':{'cluster':'c'}}],'current-context':'z'}");
    String list = first + ":" + directory.resolve("absent") + ":" + second;
    Kubeconfig config = Kubeconfig.load(Optional.empty(), Map.of("KUBECONFIG", list), directory);
    assertThat(config.currentContext()).contains("y");
    assertThat(config.connection().server()).isEqualTo(URI.create("https://one"));
    assertThat(config.connection().identity()).isInstanceOf(ClientIdentity.Anonymous.class);
  }

  @Test
  void tokensAndTheInsecureFlagAreRead() throws IOException {
    Path file =
        file(
            "config",
            config("'server':'https://h','insecure-skip-tls-verify':true", "'token':'t'"));
    ClientConfig connection = Kubeconfig.read(file).connection();
    assertThat(connection.trust()).isEqualTo(new Trust.Anyone());
    assertThat(connection.identity()).isEqualTo(new ClientIdentity.Token("t"));
    assertThat(connection.identity().toString()).doesNotContain("t]");
  }

  record Bad(String name, String content, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bad() {
    return Stream.of(
        new Bad("malformed text", "{'clusters':", "is not a kubeconfig"),
        new Bad("a list at the top", "[1]", "holds no mapping"),
        new Bad("another kind", "{'kind':'Pod'}", "its kind is Pod"),
        new Bad("clusters is no list", "{'clusters':{}}", "clusters is not a list"),
        new Bad("nameless entry", "{'users':[{}]}", "an entry of users has no name"),
        new Bad("empty file", "", "no cluster is chosen"),
        new Bad("unknown context", "{'current-context':'x'}", "context \"x\" is not usable"),
        new Bad(
            "context without its cluster",
            "{'current-context':'x','contexts':[{'name':'x','context':{'cluster':'c'}}]}",
            "its cluster \"c\" is not in"),
        new Bad("no server", config("", ""), "has no server address"),
        new Bad("server is no address", config("'server':'h:1'", ""), "no http or https address"),
        new Bad(
            "CA is no certificate",
            config("'server':'https://h','certificate-authority-data':'AAAA'", ""),
            "no PEM block of type CERTIFICATE"),
        new Bad(
            "CA is not base64",
            config("'server':'https://h','certificate-authority-data':'A'", ""),
            "certificate-authority"),
        new Bad(
            "missing key file",
            config("'server':'https://h'", "'client-certificate':'a','client-key':'b'"),
            "it does not exist"),
        new Bad(
            "certificate without key",
            config("'server':'https://h'", "'client-certificate-data':'AAAA'"),
            "client-certificate stands without client-key"),
        new Bad(
            "plugin for credentials",
            config("'server':'https://h'", "'exec':{'command':'x'}"),
            "exec is not supported"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void bad(Bad row) throws IOException {
    Path file = file("config", row.content());
    assertThatThrownBy(() -> Kubeconfig.read(file).connection())
        .isInstanceOf(KubeconfigException.class)
        .hasMessageContaining(row.message())
        .hasMessageNotContaining("null");
  }

  @Test
  void aPodFindsItsServiceAccount() throws IOException {
    file("token", "secret");
    file("namespace", "web\n");
    file("ca.crt", new String(TestFiles.read("rsa-certificate.pem"), UTF_8));
    Map<String, String> environment =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
    ClientConfig connection = InClusterConfig.detect(environment, directory).orElseThrow();
    assertThat(connection.server()).isEqualTo(URI.create("https://[fd00::1]:443"));
    assertThat(connection.namespace()).isEqualTo("web");
    assertThat(connection.identity())
        .isEqualTo(new ClientIdentity.TokenFile(directory.resolve("token")));
    assertThat(InClusterConfig.detect(Map.of(), directory)).isEmpty();
  }
}
