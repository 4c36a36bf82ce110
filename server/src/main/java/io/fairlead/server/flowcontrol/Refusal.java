package io.fairlead.server.flowcontrol;

/// Why a request was not served, by the names that dashboards for Kubernetes know.
enum Refusal {
  /// Its level is full, and its requests do not wait.
  CONCURRENCY_LIMIT("concurrency-limit"),
  /// So is its queue.
  QUEUE_FULL("queue-full"),
  /// It waited as long as it may.
  TIME_OUT("time-out"),
  /// Its client went away.
  CANCELLED("cancelled");

  private final String reason;

  Refusal(String reason) {
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
