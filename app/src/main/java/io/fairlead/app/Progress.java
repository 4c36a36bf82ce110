package io.fairlead.app;

/// Told how a start goes on. Called from the thread that starts.
public interface Progress {
  /// Says nothing.
  Progress SILENT =
      new Progress() {
        @Override
        public void began(StartupStep step) {}

        @Override
        public void finished(StartupStep step, String detail) {}
      };

  void began(StartupStep step);

  /// @param detail what is worth knowing about the result, such as an address; may be empty
  void finished(StartupStep step, String detail);
}
