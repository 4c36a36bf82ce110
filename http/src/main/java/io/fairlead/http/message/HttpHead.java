package io.fairlead.http.message;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The head of a message: its first line and its headers.
///
/// @param startLine a request line or a status line
/// @param headers in the order they came
public record HttpHead(String startLine, List<Map.Entry<String, String>> headers) {
  public HttpHead {
    headers = List.copyOf(headers);
  }

  /// The first value of a header, or empty.
  public String header(String name) {
    for (Map.Entry<String, String> one : headers) {
      if (one.getKey().equalsIgnoreCase(name)) {
        return one.getValue();
      }
    }
    return "";
  }

  /// All values of a header.
  List<String> values(String name) {
    List<String> values = new ArrayList<>(1);
    for (Map.Entry<String, String> one : headers) {
      if (one.getKey().equalsIgnoreCase(name)) {
        values.add(one.getValue());
      }
    }
    return values;
  }

  /// The code of a status line.
  ///
  /// @throws IOException when the first line is none of HTTP/1
  public int statusCode() throws IOException {
    int space = startLine.indexOf(' ');
    if (!startLine.startsWith("HTTP/1.")
        || space < 0
        || startLine.length() < space + 4
        || (startLine.length() > space + 4 && startLine.charAt(space + 4) != ' ')) {
      throw new IOException("this is not an HTTP server");
    }
    int code = 0;
    for (int i = space + 1; i < space + 4; i++) {
      char digit = startLine.charAt(i);
      if (digit < '0' || digit > '9') {
        throw new IOException("this is not an HTTP server");
      }
      code = code * 10 + digit - '0';
    }
    return code;
  }
}
