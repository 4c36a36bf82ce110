package io.fairlead.store.embedded;

import io.fairlead.store.CommitResult;
import io.fairlead.store.Write;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process that writes until it is killed. Each writer counts up its own pair of keys in one
/// commit and prints what was acknowledged: `writer count revision`.
///
/// Arguments: directory, revision to compact to, writers, commits per writer after which it ends by
/// itself.
public final class KilledChild {
  private KilledChild() {}

  public static void main(String[] args) throws InterruptedException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    int commits = Integer.parseInt(args[3]);
    try (EmbeddedStore store = EmbeddedStore.open(Path.of(args[0]))) {
      store.compact(Long.parseLong(args[1]));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        int writer = i;
        threads.add(Thread.ofPlatform().start(() -> write(store, writer, commits, out)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static void write(EmbeddedStore store, int writer, int commits, PrintStream out) {
    long first = count(store, writer) + 1;
    for (long count = first; count < first + commits; count++) {
      byte[] value = value(count);
      CommitResult outcome =
          store.commit(
              List.of(
                  new Write.Put("/left/" + writer, value, Write.ANY),
                  new Write.Put("/right/" + writer, value, Write.ANY),
                  count % 3 == 0
                      ? new Write.Delete("/odd/" + writer, Write.ANY)
                      : new Write.Put("/odd/" + writer, value, Write.ANY)));
      long revision = ((CommitResult.Committed) outcome).revision();
      synchronized (out) {
        out.print(writer + " " + count + " " + revision + "\n");
        if (out.checkError()) {
          Runtime.getRuntime().halt(1); // the parent has gone
        }
      }
    }
  }

  static byte[] value(long count) {
    return (count + " " + "x".repeat(1000)).getBytes(StandardCharsets.US_ASCII);
  }

  /// What a writer's keys say; 0 when they are not there.
  static long count(EmbeddedStore store, int writer) {
    var entry = store.get("/left/" + writer);
    if (entry == null) {
      return 0;
    }
    String text = new String(entry.value(), StandardCharsets.US_ASCII);
    return Long.parseLong(text.substring(0, text.indexOf(' ')));
  }
}
