package io.fairlead.server.auth;

import java.util.ArrayList;
import java.util.List;

/// Reads comma-separated values as RFC 4180 has them: a field may stand in quotes, and then hold
/// commas, line ends and doubled quotes. Empty lines are skipped.
final class CsvReader {
  /// @param line where the record begins, counted from 1
  record Row(int line, List<String> fields) {}

  /// Text that is no CSV.
  static final class CsvException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int line;
    private final String problem;

    CsvException(int line, String problem) {
      super("line " + line + ": " + problem);
      this.line = line;
      this.problem = problem;
    }

    String problem() {
      return problem;
    }

    int line() {
      return line;
    }
  }

  private final String text;
  private int at;
  private int line = 1;

  private CsvReader(String text) {
    this.text = text;
  }

  static List<Row> parse(String text) throws CsvException {
    return new CsvReader(text).rows();
  }

  private List<Row> rows() throws CsvException {
    List<Row> rows = new ArrayList<>();
    while (at < text.length()) {
      int begin = line;
      List<String> fields = record();
      if (fields.size() > 1 || !fields.getFirst().isEmpty()) {
        rows.add(new Row(begin, fields));
      }
    }
    return rows;
  }

  private List<String> record() throws CsvException {
    List<String> fields = new ArrayList<>();
    while (true) {
      fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : bare());
      if (at >= text.length()) {
        return fields;
      }
      char next = text.charAt(at);
      if (next == ',') {
        at++;
      } else if (next == '\r' || next == '\n') {
        lineEnd();
        return fields;
      } else {
        throw new CsvException(line, "text follows a closing quote");
      }
    }
  }

  private void lineEnd() {
    if (text.charAt(at) == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
      at++;
    }
    at++;
    line++;
  }

  private String bare() throws CsvException {
    int begin = at;
    while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
      if (text.charAt(at) == '"') {
        throw new CsvException(line, "a quote stands inside an unquoted field");
      }
      at++;
    }
    return text.substring(begin, at);
  }

  private String quoted() throws CsvException {
    int opened = line;
    StringBuilder field = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '"') {
        line += c == '\n' ? 1 : 0;
        field.append(c);
      } else if (at < text.length() && text.charAt(at) == '"') {
        field.append('"');
        at++;
      } else {
        return field.toString();
      }
    }
    throw new CsvException(opened, "a quote is not closed");
  }
}
