package io.fairlead.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class FormatterTest {
  private static LogRecord line(Level level, String message) {
    LogRecord line = new LogRecord(level, message);
    line.setInstant(Instant.parse("2026-11-15T06:21:30.123456Z"));
    line.setLoggerName("io.fairlead.server.pki.Pki");
    return line;
  }

  @Test
  void textLinesLookLikeKlog() {
    assertThat(new KlogFormatter(1234).format(line(Level.INFO, "made the CA")))
        .isEqualTo("I1115 06:21:30.123456    1234 Pki] made the CA\n");
    assertThat(new KlogFormatter(1234).format(line(Level.WARNING, "x"))).startsWith("W1115");
    assertThat(new KlogFormatter(1234).format(line(Level.SEVERE, "x"))).startsWith("E1115");
  }

  @Test
  void aMessageStaysOnOneLine() {
    assertThat(new KlogFormatter(1).format(line(Level.INFO, "two\nlines")).lines()).hasSize(1);
  }

  @Test
  void aMessageForgesNoLineAndMovesNoCursor() {
    String forged = "x\u001b[2J\u009b\u202e\r\nI1116 00:00:00.000000 1 Pki] all is well";
    LogRecord record = line(Level.SEVERE, forged);
    record.setThrown(new IllegalStateException(forged));
    String text = new KlogFormatter(1).format(record);
    assertThat(text.lines()).noneMatch(each -> each.startsWith("I1116"));
    assertThat(text.replace("\n", "").replace("\t", "").chars())
        .noneMatch(Character::isISOControl)
        .doesNotContain(0x202e);
    assertThat(text).contains("x\\u001b[2J\\u009b\\u202e\\u000d I1116");
    String json = new JsonFormatter().format(record);
    assertThat(json.lines()).hasSize(1);
    assertThat(json.strip().chars()).noneMatch(Character::isISOControl).doesNotContain(0x202e);
    assertThat(Json.text(Json.parse(json.getBytes(StandardCharsets.UTF_8)), "msg"))
        .isEqualTo(forged);
  }

  @Test
  void jsonLinesAreJson() {
    LogRecord record = line(Level.SEVERE, "say \"no\"");
    record.setThrown(new IllegalStateException("why"));
    String text = new JsonFormatter().format(record);
    assertThat(text.lines()).hasSize(1);
    JsonNode node = Json.parse(text.getBytes(StandardCharsets.UTF_8));
    assertThat(Json.text(node, "msg")).isEqualTo("say \"no\"");
    assertThat(Json.text(node, "level")).isEqualTo("error");
    assertThat(Json.text(node, "err")).contains("IllegalStateException: why");
    assertThat(node.path("ts").asDouble()).isEqualTo(1794723690.123);
  }
}
