package io.fairlead.server.admission.webhook;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Which webhooks, or which policies, see an object again because others changed it after them. One
/// request.
public final class Reinvocation {
  private final Set<String> asked = new HashSet<>();
  private final Set<String> again = new HashSet<>();
  private @Nullable ObjectNode last;
  private boolean needed;
  private boolean second;

  /// Whether one changed the object in the first round: then all of admission goes through it once
  /// more.
  public boolean isNeeded() {
    return needed;
  }

  /// The second round begins, which is the last.
  public void begin() {
    second = true;
  }

  /// They are about to be asked about this object.
  public void enter(ObjectNode object) {
    if (second && !object.equals(last)) {
      // What runs before the webhooks has changed it.
      requireAgain();
    }
  }

  /// Whether that one is asked in this round.
  public boolean concerns(String id) {
    return !second || again.contains(id);
  }

  /// That one was asked.
  ///
  /// @param reinvocable whether it wants to see what others changed after it
  public void asked(String id, boolean reinvocable) {
    if (reinvocable) {
      asked.add(id);
    }
  }

  /// One changed the object.
  public void changed() {
    requireAgain();
    needed = true;
  }

  /// All were asked, and this is what they left.
  public void leave(ObjectNode object) {
    last = object;
  }

  private void requireAgain() {
    again.addAll(asked);
    asked.clear();
  }
}
