package io.fairlead.app.logging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/// Log lines as Kubernetes components write them: `I1115 06:21:30.123456 1234 Pki] made the CA`.
/// Where klog names a file and a line, this names the class: finding the line costs a stack walk.
final class KlogFormatter extends Formatter {
  private final long pid;

  KlogFormatter(long pid) {
    this.pid = pid;
  }

  @Override
  public String format(LogRecord line) {
    ZonedDateTime at = line.getInstant().atZone(ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(128);
    text.append(letter(line.getLevel()));
    two(text, at.getMonthValue());
    two(text, at.getDayOfMonth()).append(' ');
    two(text, at.getHour()).append(':');
    two(text, at.getMinute()).append(':');
    two(text, at.getSecond()).append('.');
    String micros = String.valueOf(1_000_000 + at.getNano() / 1000);
    text.append(micros, 1, 7);
    text.append(' ').append(" ".repeat(Math.max(0, 7 - String.valueOf(pid).length()))).append(pid);
    text.append(' ').append(simpleName(line.getLoggerName())).append("] ");
    text.append(LogText.escaped(formatMessage(line).replace('\n', ' '), "\t")).append('\n');
    return text.append(LogText.trace(trace(line))).toString();
  }

  static String letter(Level level) {
    int value = level.intValue();
    return value >= Level.SEVERE.intValue() ? "E" : value >= Level.WARNING.intValue() ? "W" : "I";
  }

  static String simpleName(String logger) {
    return logger == null ? "?" : logger.substring(logger.lastIndexOf('.') + 1);
  }

  static String trace(LogRecord line) {
    Throwable thrown = line.getThrown();
    if (thrown == null) {
      return "";
    }
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
