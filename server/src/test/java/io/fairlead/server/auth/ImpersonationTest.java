package io.fairlead.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ImpersonationTest {
  static final UserInfo ROOT = new UserInfo("root", "", List.of("system:authenticated"), Map.of());

  /// Allows everything but one question, and keeps what was asked.
  static final class Recorder implements Authorizer {
    final List<String> asked = new ArrayList<>();
    @Nullable String denied;

    @Override
    public Decision authorize(Attributes asked) {
      String text =
          String.join(
              " ",
              asked.verb(),
              asked.group() + "/" + asked.resource() + "/" + asked.subresource(),
              asked.namespace() + ":" + asked.name());
      this.asked.add(text);
      return new Decision(!text.equals(denied), "");
    }

    @Override
    public List<Rule> rules(UserInfo user, String namespace) {
      return List.of();
    }
  }

  record Case(String name, List<String> headers, String user, List<String> asked) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("none", List.of("Accept: x"), "root  [system:authenticated] {}", List.of()),
        new Case(
            "user",
            List.of("Impersonate-User: bob"),
            "bob  [system:authenticated] {}",
            List.of("impersonate /users/ :bob")),
        new Case(
            "a name in UTF-8, whose bytes the server reads as characters",
            List.of("Impersonate-User: \u00d0\u00b8\u00d0\u00b2\u00d0\u00b0\u00d0\u00bd"),
            "\u0438\u0432\u0430\u043d  [system:authenticated] {}",
            List.of("impersonate /users/ :\u0438\u0432\u0430\u043d")),
        new Case(
            "a name that is no UTF-8",
            List.of("Impersonate-User: caf\u00e9"),
            "caf\u00e9  [system:authenticated] {}",
            List.of("impersonate /users/ :caf\u00e9")),
        new Case(
            "user and groups",
            List.of("impersonate-user: bob", "impersonate-group: a", "impersonate-group: b"),
            "bob  [a, b, system:authenticated] {}",
            List.of(
                "impersonate /users/ :bob", "impersonate /groups/ :a", "impersonate /groups/ :b")),
        new Case(
            "service account brings its groups",
            List.of("Impersonate-User: system:serviceaccount:ns:bot"),
            "system:serviceaccount:ns:bot  [system:serviceaccounts, system:serviceaccounts:ns,"
                + " system:authenticated] {}",
            List.of("impersonate /serviceaccounts/ ns:bot")),
        new Case(
            "service account with own groups",
            List.of("Impersonate-User: system:serviceaccount:ns:bot", "Impersonate-Group: a"),
            "system:serviceaccount:ns:bot  [a, system:authenticated] {}",
            List.of("impersonate /serviceaccounts/ ns:bot", "impersonate /groups/ :a")),
        new Case(
            "no service account: a colon too many",
            List.of("Impersonate-User: system:serviceaccount:a:b:c"),
            "system:serviceaccount:a:b:c  [system:authenticated] {}",
            List.of("impersonate /users/ :system:serviceaccount:a:b:c")),
        new Case(
            "anonymous stays unauthenticated",
            List.of("Impersonate-User: system:anonymous"),
            "system:anonymous  [system:unauthenticated] {}",
            List.of("impersonate /users/ :system:anonymous")),
        new Case(
            "uid and extra with an escaped key",
            List.of(
                "Impersonate-User: bob",
                "Impersonate-Uid: 42",
                "Impersonate-Extra-Example.com%2fScope: dev"),
            "bob 42 [system:authenticated] {example.com/scope=[dev]}",
            List.of(
                "impersonate /users/ :bob",
                "impersonate authentication.k8s.io/userextras/example.com/scope :dev",
                "impersonate authentication.k8s.io/uids/ :42")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void becomes(Case row) {
    Recorder authorizer = new Recorder();
    UserInfo user = Impersonation.apply(ROOT, headers(row.headers()), authorizer);
    assertThat(user.name() + " " + user.uid() + " " + user.groups() + " " + user.extra())
        .isEqualTo(row.user());
    assertThat(authorizer.asked).isEqualTo(row.asked());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachPartMustBeAllowed(Case row) {
    for (String question : row.asked()) {
      Recorder authorizer = new Recorder();
      authorizer.denied = question;
      assertThatThrownBy(() -> Impersonation.apply(ROOT, headers(row.headers()), authorizer))
          .isInstanceOfSatisfying(
              ApiException.class, e -> assertThat(e.status().code()).isEqualTo(403));
    }
  }

  @Test
  void refusalNamesTheUser() {
    Recorder authorizer = new Recorder();
    authorizer.denied = "impersonate /users/ :bob";
    assertThatThrownBy(
            () -> Impersonation.apply(ROOT, headers(List.of("Impersonate-User: bob")), authorizer))
        .hasMessage(
            "users \"bob\" is forbidden: User \"root\" cannot impersonate resource \"users\" in API"
                + " group \"\" at the cluster scope");
  }

  @Test
  void groupsAloneAreABadRequest() {
    assertThatThrownBy(
            () ->
                Impersonation.apply(ROOT, headers(List.of("Impersonate-Group: a")), new Recorder()))
        .hasMessageContaining("need Impersonate-User");
  }

  private static Map<String, List<String>> headers(List<String> lines) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String line : lines) {
      String[] parts = line.split(": ", 2);
      headers.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(parts[1]);
    }
    return headers;
  }
}
