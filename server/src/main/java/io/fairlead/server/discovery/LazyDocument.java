package io.fairlead.server.discovery;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A document that is made when a client asks for it first, and kept: a server that no client asks
/// should start fast. Safe for all threads; it is made once.
public final class LazyDocument {
  private final Supplier<StaticDocument> maker;
  private @Nullable StaticDocument made;

  public LazyDocument(Supplier<StaticDocument> maker) {
    this.maker = maker;
  }

  public synchronized StaticDocument get() {
    StaticDocument document = made;
    if (document == null) {
      document = maker.get();
      made = document;
    }
    return document;
  }
}
