package io.fairlead.work;

import java.util.List;

/// Makes running loops fail once, so that a test can show that they go on.
public final class LoopFaults {
  private LoopFaults() {}

  /// A failure no loop expects.
  public static final class InjectedFault extends RuntimeException {
    InjectedFault(String kind) {
      super("injected into " + kind);
    }
  }

  /// The next step of every running loop of that kind throws. A step that waits is interrupted; one
  /// that sits in a native call fails when that returns.
  ///
  /// @return how many loops were hit
  public static int failOnce(String kind) {
    List<SupervisedLoop> loops = LoopRegistry.running(kind);
    loops.forEach(loop -> loop.inject(new InjectedFault(kind)));
    return loops.size();
  }
}
