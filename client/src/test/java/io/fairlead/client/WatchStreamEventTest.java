package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.json.JsonTokenReader;
import io.fairlead.client.transport.ConnectionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;

/// Lines of a watch, whatever their shape.
final class WatchStreamEventTest {
  private static final String OBJECT =
      "{\"kind\":\"A\",\"metadata\":{\"name\":\"ü\",\"labels\":{\"a\":\"b\"}},\"list\":[1,{\"b\":[]}]}";

  private static WatchStreamEvent read(String line) {
    return WatchStreamEvent.read(line.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"ADDED\",\"object\":%s}",
        "{\"type\":\"MODIFIED\",\"object\":%s}",
        "{\"object\":%s,\"type\":\"MODIFIED\"}",
        " { \"type\" : \"ADDED\", \"object\" : %s } ",
      })
  void aChangedObjectIsTheSameInAnyShapeOfLine(String shape) {
    assertThat(read(shape.formatted(OBJECT)))
        .isInstanceOfSatisfying(
            WatchStreamEvent.Changed.class,
            changed -> {
              assertThat(changed.body().read(WatchStreamEventTest::names))
                  .containsExactly("kind", "metadata", "name=ü", "list");
              assertThat(changed.object())
                  .isEqualTo(Json.parse(OBJECT.getBytes(StandardCharsets.UTF_8)));
              // From the tree as from the bytes.
              assertThat(changed.body().read(WatchStreamEventTest::names))
                  .containsExactly("kind", "metadata", "name=ü", "list");
            });
  }

  /// Looks into one member and passes over the others.
  private static List<String> names(JsonParser in) {
    List<String> names = new ArrayList<>();
    for (String name = JsonTokenReader.firstMember(in);
        name != null;
        name = JsonTokenReader.nextMember(in)) {
      names.add(name);
      if (name.equals("metadata")) {
        for (String it = JsonTokenReader.firstMember(in);
            it != null;
            it = JsonTokenReader.nextMember(in)) {
          if (it.equals("name")) {
            names.add("name=" + JsonTokenReader.textOr(in, ""));
          }
        }
      }
    }
    return names;
  }

  @Test
  void aLineThatBreaksOffAnywhereIsNoObject() {
    byte[] line =
        "{\"type\":\"ADDED\",\"object\":%s}".formatted(OBJECT).getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < line.length; length++) {
      byte[] part = Arrays.copyOf(line, length);
      assertThatExceptionOfType(ConnectionException.class)
          .as("%d bytes", length)
          .isThrownBy(
              () ->
                  ((WatchStreamEvent.Changed) WatchStreamEvent.read(part))
                      .body()
                      .read(WatchStreamEventTest::names));
      assertThatExceptionOfType(ConnectionException.class)
          .as("%d bytes", length)
          .isThrownBy(() -> ((WatchStreamEvent.Changed) WatchStreamEvent.read(part)).object());
    }
  }

  @Test
  void otherLinesAreWhatTheySay() {
    assertThat(read("{\"type\":\"DELETED\",\"object\":%s}".formatted(OBJECT)))
        .isInstanceOf(WatchStreamEvent.Removed.class);
    assertThat(
            read(
                "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\","
                    + "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}"))
        .isEqualTo(new WatchStreamEvent.Bookmark("7", true));
    assertThat(read("{\"type\":\"ADDED\"}")).isInstanceOf(WatchStreamEvent.Failed.class);
    assertThat(read("{\"type\":\"SUNG\",\"object\":{}}"))
        .isInstanceOf(WatchStreamEvent.Failed.class);
  }
}
