package io.fairlead.agent.stream;

import io.fairlead.api.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// How the user learns of a program's end. Pure.
final class RemoteCommandStatus {
  private RemoteCommandStatus() {}

  static ObjectNode of(int exitCode) {
    ObjectNode status = Json.object();
    status.putObject("metadata");
    if (exitCode == 0) {
      return status.put("status", "Success");
    }
    status
        .put("status", "Failure")
        .put(
            "message",
            "command terminated with non-zero exit code: command terminated with exit code "
                + exitCode)
        .put("reason", "NonZeroExitCode");
    status
        .putObject("details")
        .putArray("causes")
        .addObject()
        .put("reason", "ExitCode")
        .put("message", Integer.toString(exitCode));
    return status;
  }

  static ObjectNode failure(String message) {
    ObjectNode status = Json.object();
    status.putObject("metadata");
    return status
        .put("status", "Failure")
        .put("message", message)
        .put("reason", "InternalError")
        .put("code", 500);
  }
}
