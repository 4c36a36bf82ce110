package io.fairlead.app.ui;

import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.ui.UiHost;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The commands of this program, for views of the page that show the same.
public interface PageCommands {
  /// For a page without them.
  PageCommands NONE =
      new PageCommands() {
        @Override
        public UiHost.CommandResult run(
            ClientConfig server, Path data, UiHost.Seat seat, List<String> words) {
          return new UiHost.CommandResult(1, "", "this process has no commands");
        }

        @Override
        public Optional<ObjectNode> top(Client client, String session, Scope scope) {
          return Optional.empty();
        }
      };

  /// Which Services; empty texts for all.
  record Scope(String namespace, String service) {}

  /// Runs a command line.
  ///
  /// @param server where the API is, and as whom it is asked
  /// @param data the data directory of this process
  UiHost.CommandResult run(ClientConfig server, Path data, UiHost.Seat seat, List<String> words);

  /// The document `Top` since the last question of that session; empty when no node answers.
  Optional<ObjectNode> top(Client client, String session, Scope scope);
}
