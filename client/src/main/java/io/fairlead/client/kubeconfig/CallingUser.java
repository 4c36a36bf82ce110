package io.fairlead.client.kubeconfig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The person behind a command: with `sudo`, not root but the one who typed it.
///
/// @param owner the numeric user and group to give new files to; empty when they are right already
/// @param home where their files are
public record CallingUser(Optional<Owner> owner, Path home) {
  /// Numeric owner of a file.
  public record Owner(int uid, int gid) {}

  /// Finds the caller in the environment of this process and the machine's account list.
  public static CallingUser of(Map<String, String> environment) {
    return of(environment, accounts());
  }

  /// As above, with the lines of an account list in the form of `/etc/passwd`.
  static CallingUser of(Map<String, String> environment, List<String> accounts) {
    Path home = Path.of(environment.getOrDefault("HOME", "/root"));
    Optional<Owner> owner = sudo(environment);
    if (owner.isEmpty()) {
      return new CallingUser(owner, home);
    }
    String uid = Integer.toString(owner.get().uid());
    for (String line : accounts) {
      String[] fields = line.split(":", -1);
      if (fields.length >= 6 && fields[2].equals(uid) && !fields[5].isEmpty()) {
        return new CallingUser(owner, Path.of(fields[5]));
      }
    }
    return new CallingUser(owner, home);
  }

  private static Optional<Owner> sudo(Map<String, String> environment) {
    try {
      return Optional.of(
          new Owner(
              Integer.parseInt(environment.getOrDefault("SUDO_UID", "")),
              Integer.parseInt(environment.getOrDefault("SUDO_GID", ""))));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  private static List<String> accounts() {
    try {
      return Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      // Without the list the home directory of the environment is the best there is.
      return List.of();
    }
  }
}
