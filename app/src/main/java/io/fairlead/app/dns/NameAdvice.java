package io.fairlead.app.dns;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the answers to a name are worth saying about: that it is a Service of another namespace, or
/// that finding it takes many questions.
public final class NameAdvice {
  /// Fewer are no trouble.
  private static final int MANY_QUERIES = 4;

  private NameAdvice() {}

  /// FL153, for a name outside of the cluster that was found after the search list.
  ///
  /// @param asked as the user wrote it
  /// @param found the name that has an address, with its last dot
  /// @param queries how many were sent
  public static Optional<Sentence> expensive(String asked, String found, int queries, String zone) {
    return queries < MANY_QUERIES || found.endsWith("." + zone + ".")
        ? Optional.empty()
        : Optional.of(
            Sentence.of(
                FindingCode.FL153.name(), "name", asked, "count", Integer.toString(queries)));
  }

  /// FL151, for a name without dots that has no address and that a Service of another namespace
  /// has. A user who may not look elsewhere is not told.
  ///
  /// @param namespace from which the name was asked
  public static Optional<Sentence> elsewhere(Client client, String asked, String namespace) {
    if (asked.indexOf('.') >= 0) {
      return Optional.empty();
    }
    List<String> others =
        client
            .listMetadata(
                ResourceType.SERVICES,
                "",
                new ListOptions("", "metadata.name=" + asked, "", "", 0, ""))
            .items()
            .stream()
            .map(each -> Json.textOr(each, "", "metadata", "namespace"))
            .filter(each -> !each.equals(namespace))
            .sorted()
            .toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Sentence(
                FindingCode.FL151.name(),
                Map.of("name", asked, "namespace", namespace, "other", others.getFirst())));
  }
}
