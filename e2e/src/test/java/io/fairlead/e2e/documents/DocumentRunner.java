package io.fairlead.e2e.documents;

import io.fairlead.e2e.documents.FencedBlock.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/// Types a document into a shell and says where it does not tell the truth.
final class DocumentRunner {
  /// Said by `up` only on a machine that is busy with something else.
  private static final String IMPATIENCE = "still waiting for:";

  private final MarkdownDocument document;
  private final BashSession shell;
  private final Duration patience;
  private final Bindings bindings = new Bindings();
  private final List<String> took = new ArrayList<>();
  private final Map<Integer, List<String>> otherwise = new HashMap<>();

  /// @param patience how long a command that only looks is repeated
  DocumentRunner(MarkdownDocument document, BashSession shell, Duration patience) {
    this.document = document;
    this.shell = shell;
    this.patience = patience;
  }

  /// Types all blocks in order.
  ///
  /// @throws AssertionError at the first command that does not print what is written; it names file
  ///   and line and shows both texts
  void play() {
    play(document.typed());
  }

  /// Types these blocks of the document in order.
  ///
  /// @throws AssertionError as [#play()]
  void play(List<FencedBlock> blocks) {
    for (FencedBlock block : blocks) {
      for (ConsoleCommand exchange : block.exchanges()) {
        long start = System.nanoTime();
        play(block, exchange);
        took.add("%6d ms  %s".formatted((System.nanoTime() - start) / 1_000_000, where(exchange)));
      }
    }
  }

  /// How long each command took, for those who want the document to be quicker.
  List<String> took() {
    return took;
  }

  private String where(ConsoleCommand exchange) {
    return document.name() + ":" + exchange.line() + ": $ " + exchange.command();
  }

  private void play(FencedBlock block, ConsoleCommand exchange) {
    OutputComparison comparison =
        new OutputComparison(exchange.printed(), block.marks(), document.varying());
    boolean mayFail = block.marks().contains(Mark.FAILS);
    AtomicReference<BashSession.Output> last = new AtomicReference<>(type(exchange));
    if (accepted(comparison, mayFail, last.get())) {
      return;
    }
    if (ReadOnlyCommands.only(exchange.command())) {
      try {
        Awaitility.await()
            .pollInSameThread()
            .atMost(Recorder.wanted() ? Duration.ofSeconds(2) : patience)
            .pollInterval(Duration.ofMillis(200))
            .until(
                () -> {
                  last.set(type(exchange));
                  return accepted(comparison, mayFail, last.get());
                });
        return;
      } catch (ConditionTimeoutException _) {
        // Said below, with what it printed last.
      }
    }
    if (!Recorder.wanted()) {
      throw new AssertionError(complaint(exchange, comparison, last.get()));
    }
    int lines = (int) exchange.command().lines().count();
    otherwise.put(exchange.line() - 1 + lines, last.get().lines());
  }

  /// What was printed otherwise than written, by the index of the line where it belongs. Only
  /// filled while recording.
  Map<Integer, List<String>> otherwise() {
    return otherwise;
  }

  private BashSession.Output type(ConsoleCommand exchange) {
    try {
      BashSession.Output output = shell.type(exchange.command());
      return new BashSession.Output(
          output.status(),
          output.lines().stream().filter(line -> !line.contains(IMPATIENCE)).toList());
    } catch (IllegalStateException e) {
      throw new AssertionError(where(exchange) + "\n" + e.getMessage(), e);
    }
  }

  private boolean accepted(
      OutputComparison comparison, boolean mayFail, BashSession.Output output) {
    if (output.status() != 0 && !mayFail) {
      return false;
    }
    Optional<Bindings> learnt = comparison.agree(output.lines(), bindings);
    learnt.ifPresent(bindings::accept);
    return learnt.isPresent();
  }

  private String complaint(
      ConsoleCommand exchange, OutputComparison comparison, BashSession.Output output) {
    String known = bindings.toString();
    return where(exchange)
        + "\nprints something else (- written, + printed)"
        + (output.status() == 0 ? "" : " and ends with status " + output.status())
        + ":\n"
        + comparison.difference(output.lines())
        + (known.isEmpty() ? "" : "  so far: " + known + "\n");
  }
}
