package io.fairlead.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.server.auth.TokenAuthenticator.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenFileAuthenticatorTest {
  record Good(
      String name, String text, String token, String user, String uid, List<String> groups) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Good> good() {
    return Stream.of(
        new Good("three fields", "t,jane,1", "t", "jane", "1", List.of()),
        new Good("groups in quotes", "t,jane,1,\"a,b\"\n", "t", "jane", "1", List.of("a", "b")),
        new Good("one group bare", "t,jane,1,a\n", "t", "jane", "1", List.of("a")),
        new Good("empty uid", "t,jane,,a", "t", "jane", "", List.of("a")),
        new Good("empty groups", "t,jane,1,\"\"", "t", "jane", "1", List.of()),
        new Good("Windows line ends", "x,y,z\r\nt,jane,1\r\n", "t", "jane", "1", List.of()),
        new Good("empty lines", "\n\nt,jane,1\n\n", "t", "jane", "1", List.of()),
        new Good("quoted quote", "\"t\"\"\",jane,1", "t\"", "jane", "1", List.of()),
        new Good("blanks around", " t , jane , 1 ,\"a, b\"", "t", "jane", "1", List.of("a", "b")));
  }

  @ParameterizedTest
  @MethodSource("good")
  void readsUsers(Good row) {
    assertThat(TokenFileAuthenticator.parse(row.text(), "f").authenticate(row.token(), List.of()))
        .isInstanceOfSatisfying(
            Outcome.Known.class,
            known -> {
              assertThat(known.user().name()).isEqualTo(row.user());
              assertThat(known.user().uid()).isEqualTo(row.uid());
              assertThat(known.user().groups()).isEqualTo(row.groups());
            });
  }

  record Bad(String name, String text, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bad() {
    return Stream.of(
        new Bad("two fields", "a,b,c\nt,jane\n", "tokens.csv: line 2: it has 2 of at least 3"),
        new Bad("empty token", ",jane,1", "line 1: the token is empty"),
        new Bad("empty user", "t,,1", "line 1: the user is empty"),
        new Bad("token twice", "t,jane,1\n\nt,joe,2", "line 3: its token stands on an earlier"),
        new Bad("open quote", "x,y,z\nt,jane,1,\"a,b\n\n", "line 2: a quote is not closed"),
        new Bad("text after a quote", "t,jane,1,\"a\"b", "line 1: text follows a closing quote"),
        new Bad("quote inside", "t,ja\"ne,1", "line 1: a quote stands inside an unquoted field"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void namesFileAndLine(Bad row) {
    assertThatThrownBy(() -> TokenFileAuthenticator.parse(row.text(), "tokens.csv"))
        .isInstanceOf(TokenFileException.class)
        .hasMessageContaining("tokens.csv")
        .hasMessageContaining(row.message().substring(row.message().indexOf("line")))
        .hasMessageContaining("write token,user,uid");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> TokenFileAuthenticator.load(Path.of("/nonexistent/tokens.csv")))
        .isInstanceOf(TokenFileException.class)
        .hasMessageContaining("/nonexistent/tokens.csv")
        .hasMessageContaining("--token-auth-file");
  }

  @Test
  void anUnknownTokenIsLeftToOthers() {
    assertThat(TokenFileAuthenticator.parse("t,jane,1", "f").authenticate("u", List.of()))
        .isInstanceOf(Outcome.NotMine.class);
  }

  @Test
  void aFileReadAgainCountsUnlessItIsWrong(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("tokens"), "old,jane,1");
    TokenFileAuthenticator tokens = TokenFileAuthenticator.load(file);
    Files.writeString(file, "new,jane,1");
    tokens.reload(file);
    assertThat(tokens.authenticate("new", List.of())).isInstanceOf(Outcome.Known.class);
    assertThat(tokens.authenticate("old", List.of())).isInstanceOf(Outcome.NotMine.class);
    Files.writeString(file, "newer");
    assertThatThrownBy(() -> tokens.reload(file)).isInstanceOf(TokenFileException.class);
    assertThat(tokens.authenticate("new", List.of())).isInstanceOf(Outcome.Known.class);
  }

  @Test
  void randomTextIsReadOrRefusedByLine() {
    SplittableRandom random = new SplittableRandom(11);
    String alphabet = "ab,,,\"\"\n\r \u00e9";
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(40); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        TokenFileAuthenticator.parse(text.toString(), "f");
      } catch (TokenFileException e) {
        assertThat(e.why()).matches("(?s)line [1-9].*");
      }
    }
  }
}
