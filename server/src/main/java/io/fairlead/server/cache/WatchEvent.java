package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.StructType;
import org.jspecify.annotations.Nullable;

/// One event of a watch. Shared by all watchers that see it alike, so that its line is made once.
public final class WatchEvent {
  /// What happened.
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED,
    /// Nothing: everything up to this revision has been sent.
    BOOKMARK
  }

  private static final byte[] END = "}\n".getBytes(UTF_8);

  private final Type type;
  private final @Nullable CachedObject object;
  private final long revision;
  private final boolean initialEventsEnd;
  // Made by the thread that needs it first; two threads may both make it, with equal content.
  private volatile byte @Nullable [] line;
  private volatile byte @Nullable [] frame;

  WatchEvent(Type type, CachedObject object) {
    this.type = type;
    this.object = object;
    this.revision = object.revision();
    this.initialEventsEnd = false;
  }

  private WatchEvent(long revision, boolean initialEventsEnd) {
    this.type = Type.BOOKMARK;
    this.object = null;
    this.revision = revision;
    this.initialEventsEnd = initialEventsEnd;
  }

  static WatchEvent bookmark(long revision) {
    return new WatchEvent(revision, false);
  }

  /// The bookmark that ends the initial events.
  static WatchEvent initialEventsEnd(long revision) {
    return new WatchEvent(revision, true);
  }

  public Type type() {
    return type;
  }

  /// The object; null for bookmarks.
  public @Nullable CachedObject object() {
    return object;
  }

  public long revision() {
    return revision;
  }

  /// Whether this bookmark carries the annotation `k8s.io/initial-events-end`.
  public boolean isInitialEventsEnd() {
    return initialEventsEnd;
  }

  /// The event as one line of a JSON watch, with its line end. Shared. Not for bookmarks, whose
  /// object depends on the kind.
  public byte[] line() {
    byte[] made = line;
    if (made == null) {
      if (object == null) {
        throw new IllegalStateException("a bookmark has no ready line");
      }
      byte[] start = ("{\"type\":\"" + type + "\",\"object\":").getBytes(UTF_8);
      made = object.json(start.length, END.length);
      System.arraycopy(start, 0, made, 0, start.length);
      System.arraycopy(END, 0, made, made.length - END.length, END.length);
      line = made;
    }
    return made;
  }

  /// The event as one frame of a protobuf watch, its length before it. Shared. Not for bookmarks.
  ///
  /// @param struct what the objects of this resource are made of
  public byte[] frame(StructType struct) {
    byte[] made = frame;
    if (made == null) {
      if (object == null) {
        throw new IllegalStateException("a bookmark has no ready frame");
      }
      made = ProtobufWriter.watchFrame(type.name(), ProtobufWriter.write(object.tree(), struct));
      frame = made;
    }
    return made;
  }

  @Override
  public String toString() {
    return type + " " + (object == null ? "@" + revision : object.toString());
  }
}
