package io.fairlead.server.admission.webhook;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Which webhooks see an object again because others changed it after them. One request.
public final class Reinvocation {
  private final Set<String> asked = new HashSet<>();
  private final Set<String> again = new HashSet<>();
  private @Nullable ObjectNode last;
  private boolean needed;
  private boolean second;

  /// Whether a webhook changed the object in the first round: then all of admission goes through it
  /// once more.
  public boolean isNeeded() {
    return needed;
  }

  /// The second round begins, which is the last.
  public void begin() {
    second = true;
  }

  /// Webhooks are about to be asked about this object.
  void enter(ObjectNode object) {
    if (second && !object.equals(last)) {
      // What runs before the webhooks has changed it.
      requireAgain();
    }
  }

  /// Whether that webhook is asked in this round.
  boolean concerns(Webhook webhook) {
    return !second || again.contains(webhook.id());
  }

  void asked(Webhook webhook) {
    if (webhook.reinvocable()) {
      asked.add(webhook.id());
    }
  }

  void changed() {
    requireAgain();
    needed = true;
  }

  void leave(ObjectNode object) {
    last = object;
  }

  private void requireAgain() {
    again.addAll(asked);
    asked.clear();
  }
}
