package io.fairlead.insight.explain;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.insight.gather.ExplainOptions;
import io.fairlead.insight.testing.FakeSources;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One change to a cluster that works, and what is said about it.
///
/// @param codes all findings, by code; one that comes for several pods stands once
/// @param texts lines that the answer has
record ExplainVector(
    String name,
    Consumer<FakeSources> change,
    ExplainOptions options,
    Verdict verdict,
    String codes,
    List<String> texts) {
  static final ExplainOptions USUAL = ExplainOptions.DEFAULT;

  @Override
  public String toString() {
    return name;
  }

  static ExplainVector vector(
      String name, Consumer<FakeSources> change, Verdict verdict, String codes, String... texts) {
    return new ExplainVector(name, change, USUAL, verdict, codes, List.of(texts));
  }

  static ExplainVector vector(
      String name,
      ExplainOptions options,
      Consumer<FakeSources> change,
      Verdict verdict,
      String codes,
      String... texts) {
    return new ExplainVector(name, change, options, verdict, codes, List.of(texts));
  }

  static ExplainOptions fromPod() {
    return USUAL.from(Optional.of(new ObjectKey("default", "client-0")), Optional.empty());
  }

  static ExplainOptions fromNode(String node) {
    return USUAL.from(Optional.empty(), Optional.of(node));
  }
}
