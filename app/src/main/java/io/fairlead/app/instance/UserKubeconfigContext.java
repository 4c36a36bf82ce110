package io.fairlead.app.instance;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Phrase;
import io.fairlead.client.kubeconfig.CallingUser;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import io.fairlead.client.kubeconfig.KubeconfigException;
import io.fairlead.client.kubeconfig.KubeconfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The context that `up` gives the calling user and `down` takes away again.
public final class UserKubeconfigContext {
  /// The name of context, cluster and user in the kubeconfig.
  public static final String NAME = "fairlead";

  private UserKubeconfigContext() {}

  /// The file to write when the user names none.
  public static Path standardFile(Map<String, String> environment) {
    return KubeconfigFile.writable(environment, CallingUser.of(environment).home())
        .toAbsolutePath();
  }

  /// Adds the context and makes it current; all other entries stay.
  public static void write(Path file, KubeconfigEntry entry, Map<String, String> environment) {
    try {
      KubeconfigFile.merge(file, entry, CallingUser.of(environment));
    } catch (KubeconfigException e) {
      throw unusable(file, e);
    }
  }

  /// Takes the context away if it still points at that server.
  ///
  /// @return what was found: nothing, ours (now gone), or another program's (kept)
  public static Removal remove(Path file, String server, Map<String, String> environment) {
    Optional<String> points = pointsAt(file);
    if (points.isEmpty()) {
      return Removal.NOTHING;
    }
    if (!points.get().equals(server)) {
      return Removal.FOREIGN;
    }
    try {
      KubeconfigFile.remove(file, NAME, CallingUser.of(environment));
      return Removal.REMOVED;
    } catch (KubeconfigException e) {
      throw unusable(file, e);
    }
  }

  /// The server our context points at, if the file has such a context.
  public static Optional<String> pointsAt(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Kubeconfig.read(file).server(NAME);
    } catch (KubeconfigException e) {
      throw unusable(file, e);
    }
  }

  /// Refuses a file that could not be written once everything runs.
  public static void requireWritable(Path file) {
    Path there = file;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there != null && !Files.isWritable(there)) {
      throw new FairleadException(ErrorCode.FL209, file, Phrase.of("why.filenotwritable", there));
    }
  }

  /// What taking the context away found.
  public enum Removal {
    NOTHING,
    REMOVED,
    FOREIGN
  }

  private static FairleadException unusable(Path file, KubeconfigException e) {
    return new FairleadException(ErrorCode.FL209, e, file, e.why());
  }
}
