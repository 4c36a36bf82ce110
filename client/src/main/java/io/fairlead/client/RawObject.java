package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// An object as a server sent it: bytes until a reader wants a tree. Owned by the thread that reads
/// it.
///
/// A tree of an object costs several times what its tokens do. A component that keeps a few fields
/// of tens of thousands of objects [reads][#read] them from the tokens.
public final class RawObject {
  private final byte[] bytes;
  private final int from;
  private final int to;
  private @Nullable ObjectNode tree;
  private @Nullable Object typed;

  private RawObject(byte[] bytes, int from, int to, @Nullable ObjectNode tree) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.tree = tree;
  }

  /// The object that is a part of these bytes, which do not change any more.
  static RawObject within(byte[] bytes, int from, int to) {
    return new RawObject(bytes, from, to, null);
  }

  public static RawObject of(ObjectNode tree) {
    return new RawObject(new byte[0], 0, 0, tree);
  }

  /// The same object for another reader, which may change the tree it makes of it.
  public RawObject copy() {
    ObjectNode whole = tree;
    return bytes.length == 0 && whole != null
        ? of(whole.deepCopy())
        : new RawObject(bytes, from, to, null);
  }

  /// The whole object. Throws `ConnectionException` when it is none.
  public ObjectNode tree() {
    ObjectNode whole = tree;
    if (whole == null) {
      whole = new ApiResponse(200, Arrays.copyOfRange(bytes, from, to)).object();
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

  /// The same, but later calls for the same type get what the first one read: several components
  /// that keep different fields of one object read its tokens once. An object holds one type.
  public <T> T readOnce(Class<T> type, Function<JsonParser, T> reader) {
    if (type.isInstance(typed)) {
      return type.cast(typed);
    }
    T read = read(reader);
    typed = read;
    return read;
  }
}
