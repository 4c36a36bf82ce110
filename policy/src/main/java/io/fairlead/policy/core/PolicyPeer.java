package io.fairlead.policy.core;

import io.fairlead.api.net.Cidr;
import java.util.List;
import java.util.Optional;

/// One entry of `from` or `to`, in canonical form: entries of different policies that mean the same
/// are equal.
public sealed interface PolicyPeer {
  /// Every address: what an empty list means.
  record Anyone() implements PolicyPeer {
    @Override
    public String toString() {
      return "anyone";
    }
  }

  /// Every pod of every namespace.
  record AllPods() implements PolicyPeer {
    @Override
    public String toString() {
      return "all pods";
    }
  }

  /// Pods by their labels.
  ///
  /// @param namespace the one they are in; empty when `namespaces` picks it
  record Pods(Optional<String> namespace, Selector namespaces, Selector pods)
      implements PolicyPeer {
    @Override
    public String toString() {
      String which = pods.isEverything() ? "all pods" : pods.toString();
      if (namespace.isPresent()) {
        return which + " of namespace " + namespace.get();
      }
      return namespaces.isEverything()
          ? which + " of all namespaces"
          : which + " of namespaces with " + namespaces;
    }
  }

  /// Addresses by their number.
  ///
  /// @param excepts sorted, all inside the block or around it
  record Block(Cidr cidr, List<Cidr> excepts) implements PolicyPeer {
    public Block {
      excepts = List.copyOf(excepts);
    }

    @Override
    public String toString() {
      return excepts.isEmpty() ? cidr.toString() : cidr + " except " + excepts;
    }
  }

  /// An entry that is invalid: it matches nothing.
  record Nothing() implements PolicyPeer {
    @Override
    public String toString() {
      return "nothing";
    }
  }
}
