package io.fairlead.ui;

import io.fairlead.client.Client;
import io.fairlead.insight.gather.Sources;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What the process around the page brings along. Everything is asked as a user: what that user may
/// not see, these do not answer. Safe for many threads at once.
public interface UiHost {
  /// What a command line printed and how it ended.
  ///
  /// @param exit its exit code
  record CommandResult(int exit, String out, String err) {}

  /// For whom a command runs.
  ///
  /// @param language of what is printed for people: `en`, `zh-CN`
  /// @param machine whether this user may ask nodes, so that this machine is looked at, too
  record Seat(UiUser user, String language, boolean machine) {}

  /// A client whose informers follow the cluster for all sessions together. It stays the host's.
  Client watching();

  /// A client that acts as that user. It stays the host's.
  Client as(UiUser user);

  /// Where the evidence that this user may see comes from.
  Sources sources(UiUser user);

  /// Runs a command line of this program as that user; the words are without the program's name.
  ///
  /// @param seat who asks and how
  CommandResult run(Seat seat, List<String> words);

  /// Live connections of a Service, as the document `Top`; empty when no node answers this user.
  ///
  /// @param namespace empty for all
  /// @param service empty for all
  Optional<ObjectNode> top(UiUser user, String namespace, String service);

  /// How it calls itself.
  String version();
}
