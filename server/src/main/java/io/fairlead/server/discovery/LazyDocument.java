package io.fairlead.server.discovery;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A document that is made when somebody asks for it first, and kept: a server that nobody asks
/// should start fast. Safe for all threads; it is made once.
public final class LazyDocument {
  private final Supplier<Document> maker;
  private @Nullable Document made;

  public LazyDocument(Supplier<Document> maker) {
    this.maker = maker;
  }

  public synchronized Document get() {
    Document document = made;
    if (document == null) {
      document = maker.get();
      made = document;
    }
    return document;
  }
}
