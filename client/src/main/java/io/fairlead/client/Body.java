package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.client.transport.Answer;
import io.fairlead.client.transport.ConnectionException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// An object as a server sent it: bytes until somebody wants a tree. Owned by the thread that reads
/// it.
///
/// A tree of an object costs several times what its tokens do. Whoever keeps a few fields of tens
/// of thousands of objects [reads][#read] them from the tokens.
public final class Body {
  private final byte[] bytes;
  private final int from;
  private final int to;
  private @Nullable ObjectNode tree;

  private Body(byte[] bytes, int from, int to, @Nullable ObjectNode tree) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.tree = tree;
  }

  /// The object that is a part of these bytes, which nobody changes any more.
  static Body within(byte[] bytes, int from, int to) {
    return new Body(bytes, from, to, null);
  }

  public static Body of(ObjectNode tree) {
    return new Body(new byte[0], 0, 0, tree);
  }

  /// The whole object. Throws `ConnectionException` when it is none.
  public ObjectNode tree() {
    ObjectNode whole = tree;
    if (whole == null) {
      whole = new Answer(200, Arrays.copyOfRange(bytes, from, to)).object();
      tree = whole;
    }
    return whole;
  }

  /// What is kept of the object. Throws `ConnectionException` when it is none.
  ///
  /// @param reader begins at the token where the object begins
  public <T> T read(Function<JsonParser, T> reader) {
    ObjectNode whole = tree;
    try (JsonParser in =
        whole == null
            ? Json.mapper().createParser(bytes, from, to - from)
            : Json.mapper().treeAsTokens(whole)) {
      in.nextToken();
      return reader.apply(in);
    } catch (JacksonException e) {
      throw new ConnectionException("the answer is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}
