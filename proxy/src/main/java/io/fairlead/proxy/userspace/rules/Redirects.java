package io.fairlead.proxy.userspace.rules;

import io.fairlead.proxy.core.NodeFacts;
import java.util.Collection;
import java.util.List;

/// Has the kernel send connections along routes. Used by one thread. A refusal is a {@link
/// io.fairlead.proxy.core.DataPlaneException}; then it is not known what is there until {@link
/// #replace}.
public interface Redirects extends AutoCloseable {

  /// Makes it exactly these, whatever is there.
  ///
  /// @return how many objects were written; 0 when all was there
  int replace(NodeFacts node, Collection<RedirectRoute> routes);

  /// Changes what {@link #replace} has made. A route whose destination stays is in both lists.
  ///
  /// @return how many objects were written
  int change(List<RedirectRoute> removed, List<RedirectRoute> added);

  /// Takes everything away, also what another process left.
  void removeAll();

  /// What is there, for people.
  String listing();

  /// See {@link io.fairlead.proxy.core.DataPlane#onDrift}.
  void onDrift(Runnable listener);

  /// What is there stays.
  @Override
  void close();

  /// For a relay that clients call by its own address: there are no rules.
  static Redirects none() {
    return new Redirects() {
      @Override
      public int replace(NodeFacts node, Collection<RedirectRoute> routes) {
        return 0;
      }

      @Override
      public int change(List<RedirectRoute> removed, List<RedirectRoute> added) {
        return 0;
      }

      @Override
      public void removeAll() {}

      @Override
      public String listing() {
        return "";
      }

      @Override
      public void onDrift(Runnable listener) {}

      @Override
      public void close() {}
    };
  }
}
