package io.fairlead.agent.api;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/// What questions about a node need of its pods. Safe for many threads.
public interface NodePodPlaces {
  /// On a node where no agent of ours runs.
  NodePodPlaces UNKNOWN =
      new NodePodPlaces() {
        @Override
        public PodPlace place(String uid) {
          throw ApiException.noSuchResource();
        }

        @Override
        public ArrayNode serviceVariables(String uid) {
          throw ApiException.noSuchResource();
        }
      };

  /// A pod of this node that has a network.
  ///
  /// @throws ApiException when there is no such pod here, or it does not run
  PodPlace place(String uid);

  /// A pod and its network.
  ///
  /// @param networkNamespace where it is mounted; empty for a pod in the node's own
  record PodPlace(ObjectKey pod, String uid, Optional<Path> networkNamespace) {}

  /// The Service variables that containers of a pod were given: for each that was made a document
  /// `{name, variables: [{name, value}]}`.
  ///
  /// @throws ApiException when there is no such pod here
  ArrayNode serviceVariables(String uid);
}
