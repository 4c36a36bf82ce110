package io.fairlead.app.tour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// How far a user came on the tour, in a file of theirs.
///
/// @param file holds the number of the next step
public record TourProgress(Path file) {
  /// Where the environment says that programs keep such things.
  public static TourProgress of(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    Path base =
        state.isEmpty()
            ? Path.of(environment.getOrDefault("HOME", "/"), ".local", "state")
            : Path.of(state);
    return new TourProgress(base.resolve("fairlead").resolve("tour"));
  }

  /// The step to go on with; 1 when there is none, or the file says nothing sensible.
  ///
  /// @param count how many steps there are
  public int next(int count) {
    try {
      String text = Files.readString(file).strip();
      int step = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 1;
      return step >= 1 && step <= count ? step : 1;
    } catch (IOException _) {
      // Not there, or not to be read: the tour begins, which harms nothing.
      return 1;
    }
  }

  /// Writes the step down.
  ///
  /// @return false where the user may not write there, or the disk is full
  public boolean save(int next) {
    try {
      Path directory = file.getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.writeString(file, next + "\n");
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  public void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // What cannot be written was not written either.
      return;
    }
  }
}
