package io.fairlead.app;

/// Told how a start goes on. Called from the thread that starts.
public interface Progress {
  /// Says nothing to nobody.
  Progress SILENT =
      new Progress() {
        @Override
        public void began(Step step) {}

        @Override
        public void finished(Step step, String detail) {}
      };

  void began(Step step);

  /// @param detail what is worth knowing about the result, such as an address; may be empty
  void finished(Step step, String detail);
}
