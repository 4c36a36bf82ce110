package io.fairlead.agent.api;

import io.fairlead.agent.log.LogOptions;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.client.ObjectKey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The pods behind the node's server. Safe for many threads.
public interface NodePods extends NodePodPlaces {
  /// All pods of this node, as the API shows them.
  List<ObjectNode> all();

  /// Those of them of which a container runs.
  List<ObjectNode> running();

  /// Writes a container's log; with `follow` until the container ends.
  ///
  /// @param previous that of the run before the last
  /// @throws io.fairlead.api.status.ApiException when there is none, before anything is written
  void log(ObjectKey pod, String container, boolean previous, LogOptions wanted, OutputStream out)
      throws IOException, InterruptedException;

  /// Finds a container that runs.
  ///
  /// @param uid of the pod; empty for whichever has that name
  /// @return its identity for the runtime
  /// @throws io.fairlead.api.status.ApiException when there is no such pod, or it does not run
  String running(ObjectKey pod, String uid, String container);

  /// Runs a program in a container that [#running] found.
  AttachedProcess exec(String containerId, List<String> command, boolean input, boolean terminal);

  /// Attaches to the first program of a container that [#running] found, from now on.
  ///
  /// @param input whether anybody will type
  AttachedProcess attach(ObjectKey pod, String container, boolean input);

  /// Finds where a pod's programs run.
  ///
  /// @return the sandbox
  /// @throws io.fairlead.api.status.ApiException when there is no such pod, or it does not run
  String sandbox(ObjectKey pod, String uid);

  /// Connects to a port inside a sandbox.
  Socket dial(String sandbox, int port) throws IOException;
}
