package io.fairlead.agent.stream;

import java.util.ArrayList;
import java.util.List;

/// Whether the user is gone, and what to do then. Guarded by its own lock.
final class ClientDisconnect {
  private final List<Runnable> actions = new ArrayList<>();
  private boolean gone;

  void then(Runnable action) {
    synchronized (this) {
      if (!gone) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }

  void happened() {
    List<Runnable> due;
    synchronized (this) {
      if (gone) {
        return;
      }
      gone = true;
      due = List.copyOf(actions);
      actions.clear();
    }
    due.forEach(Runnable::run);
  }
}
