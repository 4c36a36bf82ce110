package io.fairlead.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.runtime.RegistryCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whose name is given to which registry.
class PullSecretsTest {
  private static final Map<String, byte[]> SECRET =
      secret(
          """
          {"auths": {
            "registry.test": {"username": "all", "password": "p"},
            "registry.test/team": {"auth": "%s"},
            "https://index.docker.io/v1/": {"username": "hub", "password": "p"},
            "localhost:5000": {"username": "local", "password": "p"}}}
          """
              .formatted(
                  Base64.getEncoder().encodeToString("team:a:b".getBytes(StandardCharsets.UTF_8))));

  private static Map<String, byte[]> secret(String text) {
    return Map.of(".dockerconfigjson", text.getBytes(StandardCharsets.UTF_8));
  }

  private record Case(String name, String image, String user) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case("the registry fits", "registry.test/x:1", "all"),
        new Case("the longest place counts", "registry.test/team/x", "team"),
        new Case("a place ends at a slash", "registry.test/teamwork/x", "all"),
        new Case("no registry is the standard one", "nginx", "hub"),
        new Case("with a path too", "library/nginx:1", "hub"),
        new Case("a port belongs to the name", "localhost:5000/x", "local"),
        new Case("another registry", "other.test/x", ""),
        new Case("a longer name is another registry", "registry.test.example/x", ""));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void found(Case each) {
    assertThat(
            PullSecrets.find(each.image(), List.of(SECRET))
                .map(RegistryCredentials::user)
                .orElse(""))
        .isEqualTo(each.user());
  }

  @Test
  void aPasswordMayHaveColons() {
    assertThat(PullSecrets.find("registry.test/team/x", List.of(SECRET)))
        .isEqualTo(Optional.of(new RegistryCredentials("team", "a:b")));
  }

  @Test
  void whatIsNoSuchFileIsLeftOut() {
    assertThat(
            PullSecrets.find(
                "registry.test/x",
                List.of(Map.of("a", new byte[0]), secret("not json"), secret("{\"auths\": 3}"))))
        .isEmpty();
  }

  @Test
  void aSecretIsNotPrinted() {
    assertThat(new RegistryCredentials("me", "hidden")).hasToString("Credentials[user=me]");
  }
}
