package io.fairlead.client.transport;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.node.ObjectNode;

/// A whole answer of a server.
public final class ApiResponse {
  private final int code;
  private final byte[] body;

  public ApiResponse(int code, byte[] body) {
    this.code = code;
    this.body = body.clone();
  }

  public int code() {
    return code;
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /// The body as an object. Throws `ConnectionException` when it is none: what answered is not an
  /// API server.
  public ObjectNode object() {
    try {
      if (Json.parse(body) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw new ConnectionException("the answer is not JSON: " + shortened(), e);
    }
    throw new ConnectionException("the answer is not an object: " + shortened());
  }

  /// What is kept of the body, which is an object. Throws `ConnectionException` when it is none.
  ///
  /// @param reader begins at the token where the object begins
  public <T> T read(Function<JsonParser, T> reader) {
    try (JsonParser in = Json.mapper().createParser(body)) {
      if (in.nextToken() == JsonToken.START_OBJECT) {
        return reader.apply(in);
      }
    } catch (JacksonException e) {
      throw new ConnectionException("the answer is not JSON: " + shortened(), e);
    }
    throw new ConnectionException("the answer is not an object: " + shortened());
  }

  private String shortened() {
    String text = text();
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }
}
