package io.fairlead.server.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other servers believe what this one says of its users: no name may become that of another.
class UserHeadersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "system:masters ",
        " system:masters",
        "system:masters\n",
        "system:masters\r\nX-Remote-Group: other",
        "system:masters\u0000",
        "\u2003system:masters",
        "system:\u0085masters"
      })
  void aNameThatWouldArriveAsAnotherIsRefused(String group) {
    UserInfo user = new UserInfo("bob", "", List.of(group), Map.of());
    assertThatThrownBy(() -> AggregatedApiProxy.user(user)).isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> NodeInsightRelay.actingAs(user)).isInstanceOf(ApiException.class);
    UserInfo named = new UserInfo(group, "", List.of(), Map.of());
    assertThatThrownBy(() -> AggregatedApiProxy.user(named)).isInstanceOf(ApiException.class);
    UserInfo noted = new UserInfo("bob", "", List.of(), Map.of("k", List.of(group)));
    assertThatThrownBy(() -> AggregatedApiProxy.user(noted)).isInstanceOf(ApiException.class);
  }

  @Test
  void namesOfAllLanguagesStayApart() {
    assertThat(sent("\u0438\u0432\u0430\u043d"))
        .isEqualTo("\u0438\u0432\u0430\u043d")
        .isNotEqualTo(sent("\u043e\u043b\u0435\u0433"));
    assertThat(sent("system:admin")).isEqualTo("system:admin");
  }

  /// The name that a receiver reads from the bytes on the wire.
  private static String sent(String name) {
    return new String(UserHeaders.value(name).getBytes(ISO_8859_1), UTF_8);
  }
}
