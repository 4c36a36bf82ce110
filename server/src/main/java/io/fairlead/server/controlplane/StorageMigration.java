package io.fairlead.server.controlplane;

import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves objects that an earlier version kept under other keys to where a kube-apiserver looks for
/// them. Runs before anything is read; where there is nothing to move it is one look-up.
public final class StorageMigration {
  private static final Logger log = LoggerFactory.getLogger(StorageMigration.class);

  /// The old prefix and the new one.
  private static final Map<String, String> PREFIXES =
      Map.of("/registry/ingresses/", "/registry/ingress/");

  private StorageMigration() {}

  /// Moves what there is. An object that is at its new place already stays as it is.
  public static void run(Store store) {
    PREFIXES.forEach((from, to) -> move(store, from, to));
  }

  private static void move(Store store, String from, String to) {
    int moved = 0;
    for (StoreEntry entry : store.range(new Range(from, "", 0, store.revision())).entries()) {
      String key = to + entry.key().substring(from.length());
      Write put = new Write.Put(key, new Write.Value(entry.value()), Write.ABSENT, 0);
      CommitResult result =
          store.commit(List.of(put, new Write.Delete(entry.key(), entry.modRevision())));
      moved += result instanceof CommitResult.Committed ? 1 : 0;
    }
    if (moved > 0) {
      log.atInfo().addKeyValue("to", to).addKeyValue("objects", moved).log("moved stored objects");
    }
  }
}
