package io.fairlead.agent.runtime;

import java.time.Instant;

/// One run of a container, as the runtime reports it.
///
/// @param attempt how often it was started before
/// @param reason why it ended, `Completed`, `Error`, `OOMKilled`; empty while it has not
/// @param startedAt the epoch while it has not started
/// @param finishedAt the epoch while it has not ended
/// @param hash of the spec it was made from
public record ContainerInfo(
    String id,
    String podUid,
    String sandbox,
    String name,
    int attempt,
    ContainerState state,
    int exitCode,
    String reason,
    String message,
    Instant startedAt,
    Instant finishedAt,
    String image,
    String imageId,
    String hash) {
  /// The same with other words.
  public ContainerInfo saying(String words) {
    return new ContainerInfo(
        id,
        podUid,
        sandbox,
        name,
        attempt,
        state,
        exitCode,
        reason,
        words,
        startedAt,
        finishedAt,
        image,
        imageId,
        hash);
  }

  /// The same, running since then.
  public ContainerInfo begun(Instant moment) {
    return new ContainerInfo(
        id,
        podUid,
        sandbox,
        name,
        attempt,
        ContainerState.RUNNING,
        0,
        "",
        "",
        moment,
        Instant.EPOCH,
        image,
        imageId,
        hash);
  }

  /// The same, ended then.
  public ContainerInfo ended(int code, String why, String words, Instant moment) {
    return new ContainerInfo(
        id,
        podUid,
        sandbox,
        name,
        attempt,
        ContainerState.EXITED,
        code,
        why,
        words,
        startedAt,
        moment,
        image,
        imageId,
        hash);
  }

  public boolean running() {
    return state == ContainerState.RUNNING;
  }

  public boolean exited() {
    return state == ContainerState.EXITED;
  }
}
