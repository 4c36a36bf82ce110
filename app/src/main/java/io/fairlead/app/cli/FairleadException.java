package io.fairlead.app.cli;

import io.fairlead.app.text.MessageCatalog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends a command with an error a person can act on: what happened, why, what to do next.
public final class FairleadException extends RuntimeException {
  private final ErrorCode code;
  private final List<Object> values;

  /// @param values fill `{0}`, `{1}`… of the three sentences, which share them
  public FairleadException(ErrorCode code, Object... values) {
    this(code, null, values);
  }

  public FairleadException(ErrorCode code, @Nullable Throwable cause, Object... values) {
    super(code.name(), cause);
    this.code = code;
    this.values = List.of(values);
  }

  public ErrorCode code() {
    return code;
  }

  public List<Object> values() {
    return values;
  }

  /// The three lines, in the language of the catalogue.
  public String render(MessageCatalog messages) {
    Object[] filled = values.toArray();
    return messages.text("error.what", messages.text(code + ".what", filled), code)
        + "\n"
        + messages.text("error.why", messages.text(code + ".why", filled))
        + "\n"
        + messages.text("error.next", messages.text(code + ".next", filled))
        + "\n";
  }
}
